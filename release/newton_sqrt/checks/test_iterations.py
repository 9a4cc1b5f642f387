"""Public examples of how many steps are taken; the hidden tests try other numbers and tolerances."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail

STEPS = {2.0: 5, 9.0: 6, 0.25: 5, 12_345.0: 12}
"""How many steps these numbers take with the tolerance 1e-6."""


@pytest.mark.hint("Count one for every x <- (x + a / x) / 2, and stop as soon as |x_new - x_old| < tol.")
def test_counts_the_steps(student):
    """The numbers 2, 9, 0.25 and 12345 take 5, 6, 5 and 12 steps, to within one."""
    program = student.newton_sqrt.export(f32, 1e-6, returns=2)
    for number, steps in STEPS.items():
        _, count = program(number)
        if not abs(float(count) - steps) <= 1:
            fail(f"For {number:g} the number of steps is {float(count):g}; {steps} was expected, to within one.")


@pytest.mark.hint("The condition of the loop must compare with tol, the argument.")
def test_grows_as_the_tolerance_shrinks(student):
    """A smaller tolerance never takes fewer steps, and a much smaller one takes more."""
    programs = [student.newton_sqrt.export(f32, tol, returns=2) for tol in (0.5, 0.05, 5e-4, 5e-6)]
    counts = [float(program(20.0)[1]) for program in programs]
    if counts != sorted(counts):
        fail("A smaller tolerance takes fewer steps.")
    if counts[0] == counts[-1]:
        fail("The number of steps is the same for a tolerance of 0.5 and for one of 0.000005.")


@pytest.mark.hint("Stop as soon as |x_new - x_old| < tol, and return the x of that moment.")
def test_loose_tolerance_stops_early(student):
    """With a loose tolerance the loop stops early: the root of 0.04 is still far from 0.2 then."""
    root, _ = student.newton_sqrt.export(f32, 0.6, returns=2)(0.04)
    if not float(root) > 0.25:
        fail("The first step from 1 leads to 0.52 and changes x by less than 0.6, but the loop went on.")
