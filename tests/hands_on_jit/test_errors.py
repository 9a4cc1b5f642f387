"""The errors of a Python branch and a Python loop on traced values are named; which they are is found out here."""

from __future__ import annotations

import pytest

from autograder.suite import as_word, fail

ERRORS = (
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "TracerArrayConversionError",
    "ConcretizationTypeError",
    "UnexpectedTracerError",
    "NonConcreteBooleanIndexError",
    "JAXTypeError",
    "TypeError",
    "ValueError",
)

EACH = [pytest.param("conditional_error", id="the branch"), pytest.param("rounds_error", id="the loop")]


@pytest.mark.parametrize("name", EACH)
@pytest.mark.hint(
    "Catch it: `with expect_error(jax.errors.JAXTypeError) as expected:`, then `type(expected.error).__name__`."
)
def test_error(student, reference, remark, name):
    """The class of the error that {id} raises under `jax.jit` is named."""
    value, right = student.value(name), getattr(reference, name)
    if isinstance(value, str):
        value = value.strip().rpartition(".")[2]
    word = as_word(value, ERRORS, what=f"`{name}`")
    if word != right:
        if reference.belongs_to(right, word):
            fail(f"`{word}` is a class that the error belongs to, but not its own: name the most exact one.")
        fail(f"The error that `{name}` asks for is of another class.")
    remark(
        "Both kinds belong to `jax.errors.JAXTypeError`: Python asked a tracer for a number that it does not have yet."
    )
