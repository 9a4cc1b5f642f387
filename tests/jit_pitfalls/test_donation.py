"""One function gives its argument away, the other one protects that of its caller."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail

WEIGHTS = np.float32([2.0, -1.0, 0.5])
DIRECTIONS = np.float32([[1.0, 0.5, -2.0], [0.25, 0.0, 1.0], [-3.0, 1.0, 1.0], [0.5, 0.5, 0.5]])
RATES = (0.5, 0.125, 0.0, -1.0)

# Some multiplications and subtractions in float32.
RTOL = 1e-5


@pytest.mark.hint("weights - rate * direction")
def test_nudge(student, reference):
    """A step against the direction, as long as the rate says."""
    calls = [(WEIGHTS, direction, rate) for direction in DIRECTIONS for rate in RATES]
    results = student.nudge.export(f32[3], f32[3], f32, returns=1).run(calls)
    for (weights, direction, rate), result in zip(calls, results, strict=True):
        expected = reference.descended(weights, direction[None], rate)
        assert_close(result, expected, rtol=RTOL, atol=RTOL, what="the new weights")


@pytest.mark.weight(2)
@pytest.mark.hint('@partial(jax.jit, donate_argnames="weights")')
def test_nudge_donates(student):
    """`nudge` is jitted and donates the weights, and nothing else."""
    student.nudge.export(f32[3], f32[3], f32, returns=1)
    if not student.nudge.is_jitted:
        fail("`nudge` is not jitted, so it cannot donate anything.")
    for rate in (0.5, 0.25):
        student.nudge(WEIGHTS, DIRECTIONS[0], f32(rate))
        if 0 not in student.deleted:
            fail("The weights that were given to `nudge` are still there, so they were not donated.")
        if student.deleted != (0,):
            fail("`nudge` donates more than the weights.")


@pytest.mark.hint("Call `nudge` for each row, each time with the weights that came back from the call before.")
def test_descend(student, reference):
    """The weights are right after a step in each direction, for any number of directions."""
    for rows in (1, 2, 4):
        result = student.descend(WEIGHTS, DIRECTIONS[:rows], f32(0.5))
        expected = reference.descended(WEIGHTS, DIRECTIONS[:rows], 0.5)
        assert_close(result, expected, rtol=RTOL, atol=RTOL, what="the weights after all steps")


@pytest.mark.weight(2)
@pytest.mark.hint("The first `nudge` deletes what it is given: give it a copy, jnp.array(weights).")
def test_descend_protects_its_caller(student, reference):
    """Whoever calls `descend` still has their weights and directions."""
    result = student.descend(WEIGHTS, DIRECTIONS, f32(0.25))
    expected = reference.descended(WEIGHTS, DIRECTIONS, 0.25)
    if student.deleted:
        fail("What was given to `descend` is deleted afterwards.")
    assert_close(result, expected, rtol=RTOL, atol=RTOL, what="the weights after all steps")
