"""The steps are counted, and the tolerance decides how many there are.

A right answer counts the first step or not, and tests before or after a step, so one more or less is the same. For
the numbers and tolerances here the float32 iterates stop at exactly the step of the float64 oracle (seven ways to write
the step, JAX 0.10.2 and 0.12.0.1): |x_new - x_old| is never so close to the tolerance that rounding decides.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from autograder.suite import as_numpy, fail

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

NUMBERS = (3.0, 0.3, 0.02, 40.0, 700.0, 6_000.0)
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4)
FALLING = (1e-1, 3e-2, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
LOOSE = ((0.01, 0.55), (0.05, 0.1), (0.0004, 0.3), (0.0004, 0.1), (2_500.0, 0.9), (90_000.0, 0.9))
ITERATE_RTOL = 1e-5
"""An iterate in float32 differs from the float64 one by a few roundings of 1e-7 each; its neighbours are far off."""


@pytest.fixture(scope="module")
def solve(student, reference):
    """Gives roots and counts of the student's function: `solve(numbers, tol)`."""
    return reference.Solver(student.newton_sqrt)


def number_of_steps(count):
    """Returns a count as a number."""
    array = as_numpy(count, what="the number of steps")
    if array.shape != ():
        fail(f"The number of steps has shape {array.shape}; a scalar was expected.")
    if array.dtype.kind not in "iu":
        fail("The number of steps should be an integer.")
    return float(array)


def root_of(found):
    """Returns a root as a number."""
    array = as_numpy(found, what="the root")
    if array.shape != ():
        fail(f"The root has shape {array.shape}; a scalar was expected.")
    return float(array)


@pytest.mark.weight(2)
@pytest.mark.hint("Count one for every x <- (x + a / x) / 2, and stop as soon as |x_new - x_old| < tol.")
def test_counts_the_steps(solve, reference):
    """The number of steps is right, to within one."""
    pairs = [(number, tol) for tol in TOLERANCES for number in NUMBERS]
    for (number, tol), (_, count) in zip(pairs, solve.each(pairs), strict=True):
        steps, right = number_of_steps(count), reference.steps(number, tol)
        if not steps >= 1:
            fail("The number of steps is below 1, where more than one is needed.")
        if not abs(steps - right) <= 1:
            fail(f"There are too {'many' if steps > right else 'few'} steps for a moderate tolerance.")


@pytest.mark.weight(1)
@pytest.mark.hint("The condition of the loop must compare with tol, the argument.")
def test_grows_as_the_tolerance_shrinks(solve):
    """A smaller tolerance never takes fewer steps, and a much smaller one takes more."""
    numbers = (5.0, 0.06, 800.0)
    solved = solve.each([(number, tol) for number in numbers for tol in FALLING])
    for start in range(0, len(solved), len(FALLING)):
        counts = [number_of_steps(count) for _, count in solved[start : start + len(FALLING)]]
        if any(later < earlier for earlier, later in pairwise(counts)):
            fail("A smaller tolerance takes fewer steps.")
        if not counts[-1] > counts[0]:
            fail("The number of steps is the same for a tolerance of 0.1 and for one of 0.000001.")


@pytest.mark.weight(1)
@pytest.mark.hint(
    "Stop as soon as |x_new - x_old| < tol, and return the x of that moment together with its number of steps."
)
def test_root_is_the_iterate_that_was_reached(solve, reference):
    """A loose tolerance stops early: the root is what the counted steps lead to, and no better."""
    for (number, tol), (root, count) in zip(LOOSE, solve.each(LOOSE), strict=True):
        right, steps = reference.steps(number, tol), number_of_steps(count)
        near = [reference.iterate(number, k) for k in range(max(0, right - 1), right + 2)]
        if not abs(steps - right) <= 1:
            fail(f"There are too {'many' if steps > right else 'few'} steps for a loose tolerance.")
        if not any(np.isclose(root_of(root), x, rtol=ITERATE_RTOL, atol=0) for x in near):
            fail("With a loose tolerance the root is not the x that so many steps lead to.")
