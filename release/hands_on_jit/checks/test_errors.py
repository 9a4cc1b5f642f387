"""Public check of the form of the answers; whether they are right, only the hidden tests tell."""

from __future__ import annotations

import jax
import pytest

from autograder.suite import fail

EACH = [pytest.param("conditional_error", id="the branch"), pytest.param("rounds_error", id="the loop")]


@pytest.mark.parametrize("name", EACH)
@pytest.mark.hint("Write the name as a string, as `type(error).__name__` gives it.")
def test_form(student, name):
    """The error of {id} is the name of an error of JAX."""
    value = student.value(name)
    if not isinstance(value, str):
        fail(f"`{name}` should be a string.")
    if not isinstance(getattr(jax.errors, value.strip().rpartition(".")[2], None), type):
        fail(f"There is no error of this name in `jax.errors`: `{name}`.")
