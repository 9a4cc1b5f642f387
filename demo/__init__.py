"""A sample class, from hand-in to feedback: `make demo`."""
