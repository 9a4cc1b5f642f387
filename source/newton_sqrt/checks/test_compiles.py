"""Public examples of calls that may not compile again; the hidden tests make other ones."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail


@pytest.mark.hint("Put @jax.jit on the function, once, and leave tol an ordinary argument: not in static_argnames.")
def test_one_program_for_all(student):
    """Neither another number nor another tolerance compiles again."""
    student.newton_sqrt.assert_compiles_once([(f32(a), f32(tol)) for tol in (1e-2, 1e-5) for a in (2, 30, 0.4)])


@pytest.mark.hint(
    "The name newton_sqrt should stand for what jax.jit returned, not for a Python function that calls it."
)
def test_is_jitted(student):
    """`newton_sqrt` is itself a jitted function."""
    student.newton_sqrt.export(f32, f32)  # an answer that cannot be traced is no jitted function either
    if not student.newton_sqrt.is_jitted:
        fail("`newton_sqrt` is a Python function, and not the jitted function itself.")
