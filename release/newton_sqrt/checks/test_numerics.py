"""Public examples of roots; the hidden tests try other numbers, and a tolerance of 0.

The tolerance of 0 is not tried here: without a cap the loop would never end, and a compiled loop cannot be interrupted.
"""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail

TOL = 1e-6
RTOL = 5e-7
"""Four gaps between neighbouring float32 numbers: room for a last step that rounds otherwise."""


def assert_roots(student, numbers, what):
    """Compares the roots of some numbers with NumPy's, in float64; whether tol is traced is for `compiles` to say."""
    program = student.newton_sqrt.export(f32, TOL, returns=2)
    for number, (root, _) in zip(numbers, program.run([(number,) for number in numbers]), strict=True):
        assert_close(root, np.sqrt(np.float64(np.float32(number))), rtol=RTOL, what=what)


@pytest.mark.hint("Repeat x <- (x + a / x) / 2, and return the last x first, the number of steps second.")
def test_a_few_roots(student):
    """The roots of 2, 9, 144 and 12345 are right."""
    assert_roots(student, (2.0, 9.0, 144.0, 12_345.0), "a root")


@pytest.mark.hint("For a below 1 start at 1; and compare |x_new - x_old| with tol, not x * x with a.")
def test_small_and_large(student):
    """The roots of 0.004, 0.25 and 3 000 000 are right."""
    assert_roots(student, (0.004, 0.25), "the root of a number below 1")
    assert_roots(student, (3e6,), "the root of a large number")


@pytest.mark.hint("0 / 0 is NaN, and NaN stays NaN: start at 1 when a is smaller than 1.")
def test_zero(student):
    """The root of 0 is finite and close to 0."""
    root, _ = student.newton_sqrt.export(f32, TOL, returns=2)(0.0)
    assert_close(root, 0.0, atol=1e-3, what="the root of 0")


@pytest.mark.hint(
    "What stands for the previous x before there is one? Try `jnp.float32(2**26) + 1 == jnp.float32(2**26)` in a cell: "
    "the gaps between float32 numbers grow with the numbers. A change that starts as infinity exceeds every tolerance."
)
def test_first_step_is_always_taken(student):
    """The first step is taken even where the gaps between float32 numbers are larger than 1."""
    program = student.newton_sqrt.export(f32, TOL, returns=2)
    for number in (2.0**26, 5e8):
        root, count = program(number)
        if count < 1:
            fail("For a very large a the loop never runs: a itself comes back, after 0 steps.")
        assert_close(root, np.sqrt(number), rtol=RTOL, what="the root of a very large number")
