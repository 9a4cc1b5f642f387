"""For every function it is predicted what it raises; the truth is measured, and each function counts on its own."""

from __future__ import annotations

import pytest

from autograder.suite import as_entries, as_word, fail

COUNT = 10
EACH_CASE = pytest.mark.parametrize("number", [pytest.param(n, id=f"case_{n}") for n in range(1, COUNT + 1)])


@pytest.fixture(scope="module")
def outcomes(student):
    """Gives the entries of the student's list."""
    return as_entries(student.value("outcomes"), COUNT, name="outcomes")


@EACH_CASE
@pytest.mark.hint(
    "What does the code need that a tracer does not have: a truth value, an integer, an array, another value? Or is it "
    "something that is known while tracing? If no tracer is involved, it is one of Python's own classes."
)
def test_outcome(outcomes, reference, number):
    """It is predicted what {id} raises."""
    word = as_word(outcomes[number - 1], reference.WORDS, what=f"the prediction for case_{number}")
    if word != reference.OUTCOMES_TRUTH[number - 1]:
        fail(f"The prediction for case_{number} is wrong.")
