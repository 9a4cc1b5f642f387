"""Public examples of steps; the hidden tests try other numbers."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail

WEIGHTS = np.float32([1.0, 2.0])
DIRECTIONS = np.float32([[2.0, 0.0], [0.0, 4.0]])


@pytest.mark.hint("weights - rate * direction")
def test_nudge(student):
    """[1, 2] becomes [0, 2] by half a step in the direction [2, 0]."""
    result = student.nudge.export(f32[2], f32[2], f32, returns=1)(WEIGHTS, DIRECTIONS[0], 0.5)
    assert_close(result, [0.0, 2.0], what="the new weights")


@pytest.mark.hint('@partial(jax.jit, donate_argnames="weights")')
def test_nudge_donates(student):
    """`nudge` donates the weights, and nothing else."""
    student.nudge(WEIGHTS, DIRECTIONS[0], f32(0.5))
    if student.deleted != (0,):
        fail("After the call, exactly the weights should be deleted.")


@pytest.mark.hint("The first `nudge` deletes what it is given: give it a copy, jnp.array(weights).")
def test_descend(student):
    """Both directions lead from [1, 2] to [0, 0], and the caller's weights are still there."""
    result = student.descend(WEIGHTS, DIRECTIONS, f32(0.5))
    if student.deleted:
        fail("What was given to `descend` is deleted afterwards.")
    assert_close(result, [0.0, 0.0], what="the weights after all steps")
