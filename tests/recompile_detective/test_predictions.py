"""For every call it is predicted whether it compiles; the truth is measured, and each call counts on its own."""

from __future__ import annotations

import pytest

from autograder.suite import as_bool, as_entries, fail

COUNT = 8
EACH_CALL = pytest.mark.parametrize("number", [pytest.param(n, id=f"call {n}") for n in range(1, COUNT + 1)])


@pytest.fixture(scope="module")
def predictions(student):
    """Gives the entries of the student's list."""
    return as_entries(student.value("predictions"), COUNT, name="predictions")


@EACH_CALL
@pytest.mark.hint(
    "Go through the earlier calls: is there one with the same shape, dtype, weak type and static value, and with its "
    "arguments given in the same form? Then its program serves this call too."
)
def test_prediction(predictions, reference, number):
    """It is predicted whether {id} compiles."""
    predicted = as_bool(predictions[number - 1], what=f"the prediction for call {number}")
    if predicted != reference.COMPILED[number - 1]:
        fail(f"The prediction for call {number} is wrong.")
