"""Public examples of the conditional; the hidden tests try other numbers."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail

X = np.array([1.0, 2.0, 3.0], np.float32)
INPUTS = [(X, 5.0), (X, 10.0)]


@pytest.mark.hint("The sum is 6. Above the threshold: twice the sum of the squares. Else: the sum plus 1.")
def test_example(student):
    """[1, 2, 3] gives 28 with the threshold 5, and 7 with the threshold 10."""
    above, below = student.conditional_computation.export(f32[3], f32, returns=1).run(INPUTS)
    assert_close(above, 28.0, what="the result with the threshold 5")
    assert_close(below, 7.0, what="the result with the threshold 10")


@pytest.mark.hint("`lax.cond(condition, when_true, when_false)`; `jnp.where` computes both sides and then chooses.")
def test_branch(student):
    """A conditional in the program decides the result."""
    program = student.conditional_computation.export(f32[3], f32, returns=1)
    if not program.conditionals(min_branches=2, depends_on_input=True, decides_output=0, at=INPUTS):
        fail("No conditional in the program decides the result.")


@pytest.mark.hint("Put `@jax.jit` on the function, once; leave both arguments traced.")
def test_one_program(student):
    """Another threshold does not compile again."""
    student.conditional_computation.assert_compiles_once([(X, f32(5)), (X, f32(10)), (2 * X, f32(1))])
