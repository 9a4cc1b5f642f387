"""One program serves every number and every tolerance."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

NUMBERS = (6.5, 80.0, 0.15, 20_000.0)
TOLERANCES = (5e-3, 1e-4, 2e-6)


def assert_one_program(newton_sqrt):
    """Asserts that four numbers and three tolerances together compile once; returns what the first call compiled."""
    calls = [(f32(number), f32(tol)) for tol in TOLERANCES for number in NUMBERS]
    return newton_sqrt.assert_compiles_once(calls)


@pytest.mark.weight(3)
@pytest.mark.hint("Put @jax.jit on the function, once, and leave tol an ordinary argument: not in static_argnames.")
def test_one_program_for_all(student):
    """Neither another number nor another tolerance compiles again."""
    assert_one_program(student.newton_sqrt)


@pytest.mark.weight(1)
@pytest.mark.hint(
    "The name newton_sqrt should stand for what jax.jit returned, not for a Python function that calls it."
)
def test_is_jitted(student):
    """`newton_sqrt` is itself a jitted function."""
    newton_sqrt = student.newton_sqrt
    compiled_first = assert_one_program(newton_sqrt)
    if not newton_sqrt.is_jitted:
        fail("`newton_sqrt` is a Python function, and not the jitted function itself.")
    if not compiled_first:
        fail("The first call of `newton_sqrt` compiles nothing, so it is no jitted function.")
