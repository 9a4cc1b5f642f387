"""What lessons and students use in a notebook: count and explain compiles, time, expect an error, show a program."""

from autograder.tools.calls import call
from autograder.tools.counting import count_compiles
from autograder.tools.expecting import expect_error
from autograder.tools.explaining import explain_recompile
from autograder.tools.showing import show_program
from autograder.tools.timing import assert_faster, bench

__all__ = ["assert_faster", "bench", "call", "count_compiles", "expect_error", "explain_recompile", "show_program"]
