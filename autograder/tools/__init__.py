"""What lessons and students use in a notebook: count compiles, time, compare, expect an error, show a program."""

from autograder.tools.counting import count_compiles
from autograder.tools.expecting import expect_error
from autograder.tools.showing import show_program
from autograder.tools.timing import assert_faster, bench

__all__ = ["assert_faster", "bench", "count_compiles", "expect_error", "show_program"]
