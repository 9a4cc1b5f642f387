"""How fast a class is graded, beside nbgrader's own `autograde`: `make bench`, or `python -m benchmarks --help`."""
