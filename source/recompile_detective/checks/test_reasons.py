"""Public checks of the form of `reasons`; whether they are right, only the hidden tests tell."""

from __future__ import annotations

import pytest

from autograder.suite import as_bool, as_entries, as_word, fail

COUNT = 8
WORDS = ("first call", "same signature", "shape", "dtype", "weak type", "static value", "argument form")


@pytest.fixture
def reasons(student):
    """Gives the reasons as words of the list."""
    entries = as_entries(student.value("reasons"), COUNT, name="reasons")
    return [as_word(entry, WORDS, what=f"the reason for call {n}") for n, entry in enumerate(entries, start=1)]


@pytest.mark.hint('reasons = ["first call", ...], one word of the list for each call, in the order of the calls.')
def test_form(reasons):
    """There are eight reasons, and each is a word of the list."""
    for number, word in enumerate(reasons, start=1):
        if (word == "first call") != (number == 1):
            fail(f'"first call" is the reason for call 1 and for no other; look at call {number}.')


@pytest.mark.hint("Think about these calls again: either the prediction or the reason is wrong.")
def test_fits_the_predictions(reasons, student):
    """A call that does not compile has the reason "same signature", and a call that compiles has another one."""
    predictions = as_entries(student.value("predictions"), COUNT, name="predictions")
    for number, (entry, word) in enumerate(zip(predictions, reasons, strict=True), start=1):
        compiles = as_bool(entry, what=f"the prediction for call {number}")
        if compiles == (word == "same signature"):
            fail(f"For call {number} the reason and the prediction contradict each other.")
