"""The root is right, for every number that float32 can hold, and the loop always ends.

Where the tolerance comes from: over 40,000 numbers from 1e-4 to 1e7, seven right ways to write the step (means, sums of
halves, (x**2 + a) / (2 x), corrections) end at most 9.5e-8 away from the float64 root in relative terms, on JAX 0.10.2
and 0.12.0.1; that is less than one gap of float32, 1.2e-7. `RTOL` allows four, for a last step that rounds otherwise.
"""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_numpy, assert_close, fail

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

RTOL = 4 * float(np.finfo(np.float32).eps)
TOL = 1e-6

MIDDLE = (1.0, 3.0, 5.5, 7.0, 16.0, 31.4, 77.0, 256.0, 600.5, 1_000.0, 4_321.0, 9_801.0)
SMALL = (1e-4, 3.3e-4, 7e-4, 0.0025, 0.01, 0.0314, 0.09, 0.2, 0.36, 0.5, 0.77, 0.999)
LARGE = (2e4, 54_321.0, 1e5, 262_144.0, 7.7e5, 1e6, 1.5e6, 2_718_281.0, 4e6, 6_543_210.0, 8.1e6, 1e7)
HUGE = (2.0**24, 2.0**25, 1e8, 2.0**28, 2.0**30)


@pytest.fixture(scope="module")
def solve(student, reference):
    """Gives the roots that the student's function finds: `solve(numbers, tol)`."""
    return reference.Solver(student.newton_sqrt)


def assert_roots(solve, reference, numbers, what):
    """Asserts that the roots of some numbers are right."""
    for number, (root, _) in zip(numbers, solve(numbers, TOL), strict=True):
        assert_close(root, reference.root(number), rtol=RTOL, what=what)


@pytest.mark.weight(3)
@pytest.mark.hint("Repeat x <- (x + a / x) / 2, and return the last x first, the number of steps second.")
def test_roots_from_one_to_ten_thousand(solve, reference):
    """The root is right for numbers from 1 to 10 000."""
    assert_roots(solve, reference, MIDDLE, "the root of a number from 1 to 10 000")


@pytest.mark.weight(2)
@pytest.mark.hint("For a below 1 start at 1; and compare |x_new - x_old| with tol, not x * x with a.")
def test_roots_of_small_numbers(solve, reference):
    """The root is right for numbers below 1."""
    assert_roots(solve, reference, SMALL, "the root of a number below 1")


@pytest.mark.weight(2)
@pytest.mark.hint("Large numbers take more steps. Is the cap too low, or does the loop never come to rest?")
def test_roots_of_large_numbers(solve, reference):
    """The root is right for numbers up to ten million."""
    assert_roots(solve, reference, LARGE, "the root of a large number")


@pytest.mark.weight(1)
@pytest.mark.hint("0 / 0 is NaN, and NaN stays NaN: start at 1 when a is smaller than 1.")
def test_zero(solve, reference):
    """The root of 0 is finite and close to 0."""
    (root, count), (other, _) = solve([-0.0, 6.3], TOL)
    assert_close(other, reference.root(6.3), rtol=RTOL, what="the root of an ordinary number beside 0")
    assert_close(root, 0.0, atol=1e-3, what="the root of 0")  # each step halves x: how far it comes depends on the cap
    if not np.isfinite(as_numpy(count, what="the number of steps for 0")):
        fail("The number of steps for 0 is not finite.")


@pytest.mark.weight(1)
@pytest.mark.hint(
    "Nothing is smaller than a tolerance of 0, and no comparison with NaN holds: stop after 100 steps in any case."
)
def test_ends_at_tolerance_zero(solve, reference):
    """The loop ends even if the tolerance is never met, with the best root that float32 has."""
    numbers = (7.0, 3.3)
    for number, (root, _) in zip(numbers, solve(numbers, 0.0), strict=True):
        assert_close(root, reference.root(number), rtol=RTOL, what="the root at a tolerance of 0")
    solve([float("nan")], TOL)


@pytest.mark.weight(1)
@pytest.mark.hint(
    "What stands for the previous x before the first step? With x0 + 1 the difference looks like 1, but from 2**24 on "
    "float32 has gaps of 2 and more, and x0 + 1 == x0: the difference is 0 and the loop never runs. Carry the change "
    "itself, and let it start as infinity."
)
def test_first_step_is_always_taken(solve, reference):
    """The first step is taken even where the gaps between float32 numbers are larger than 1."""
    for number, (root, count) in zip(HUGE, solve(HUGE, TOL), strict=True):
        if as_numpy(count, what="the number of steps") < 1 and root == np.float32(number):
            fail("For a very large a the loop never runs: a itself comes back, after 0 steps.")
        assert_close(root, reference.root(number), rtol=RTOL, what="the root of a very large number")
