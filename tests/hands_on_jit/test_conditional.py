"""The branch is in the program, takes the right way, and one program serves all thresholds."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail
from autograder.suite.branching import told_apart

RTOL = 1e-6
"""A few float32 roundings of sums of up to nine terms without cancellation."""

INPUTS = [
    (np.array(x, np.float32), threshold)
    for x, threshold in (
        ((1.0, 2.0, 3.0), 5.0),
        ((1.0, 2.0, 3.0), 10.0),
        ((0.5, 0.25, 4.0), 4.5),
        ((0.5, 0.25, 4.0), 5.0),
        ((7.0, 0.125, 2.0), -3.0),
        ((-4.0, -2.0, -1.0), -8.0),
        ((-4.0, -2.0, -1.0), 0.0),
    )
]
AT_THE_THRESHOLD = (np.array((1.0, 2.0, 3.0), np.float32), 6.0)


@pytest.fixture(scope="module")
def program(student):
    """Gives the program for three numbers and a threshold."""
    return student.conditional_computation.export(f32[3], f32, returns=1)


@pytest.mark.weight(2)
@pytest.mark.hint(
    "Is the sum of x larger than the threshold? Then twice the sum of the squares, else the sum plus 1. The first "
    "function that `lax.cond` takes is for a condition that is true."
)
def test_numbers(program, reference):
    """Above and below the threshold the number is right."""
    for (x, threshold), value in zip(INPUTS, program.run(INPUTS), strict=True):
        way = "above" if sum(x) > threshold else "below"
        assert_close(value, reference.conditional(x, threshold), rtol=RTOL, what=f"the result {way} the threshold")


@pytest.mark.weight(0.5)
@pytest.mark.hint("`>`, and not `>=`.")
def test_at_the_threshold(program, reference):
    """A sum that equals the threshold does not exceed it."""
    assert_close(program(*AT_THE_THRESHOLD), reference.conditional(*AT_THE_THRESHOLD), rtol=RTOL)


@pytest.mark.weight(0.5)
@pytest.mark.hint("Use `jnp.sum` over all of x; nothing in the task depends on there being three numbers.")
def test_other_lengths(student, reference):
    """Arrays of other lengths work too."""
    for size in (1, 9):
        x = np.linspace(1, 2, size, dtype=np.float32)
        longer = student.conditional_computation.export(f32[size], f32, returns=1)
        for threshold in (0.5, 2.0, 5.0, 30.0):
            assert_close(longer(x, threshold), reference.conditional(x, threshold), rtol=RTOL)


@pytest.mark.weight(2)
@pytest.mark.hint("`lax.cond(condition, when_true, when_false)`; `jnp.where` computes both sides and then chooses.")
def test_branch(program):
    """A conditional in the program decides the result."""
    if not program.conditionals(min_branches=2, depends_on_input=True):
        fail("There is no conditional in the program that depends on its input.")
    if not (found := program.conditionals(min_branches=2, depends_on_input=True, decides_output=0, at=INPUTS)):
        fail("There is a conditional, but it does not decide the result.")
    above = [given for given in INPUTS if given[0].sum() > given[1]]
    below = [given for given in INPUTS if given[0].sum() <= given[1]]
    if not told_apart(program, [above, below], by=found):
        fail("There is a conditional, but it does not tell sums above the threshold from sums below it.")


@pytest.mark.weight(1)
@pytest.mark.hint("Put `@jax.jit` on the function, once; leave both arguments traced.")
def test_one_program(student):
    """Neither other numbers nor another threshold compile again."""
    calls = [(f32([1, 2, 3]), f32(5)), (f32([1, 2, 3]), f32(10)), (f32([4, 0, 1]), f32(2))]
    student.conditional_computation.assert_compiles_once(calls)
