"""Public check of the form of `outcomes`; whether they are right, only the hidden tests tell."""

from __future__ import annotations

import pytest

from autograder.suite import as_entries, as_word

COUNT = 10
WORDS = (
    "no error",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "TracerArrayConversionError",
    "ConcretizationTypeError",
    "UnexpectedTracerError",
    "RuntimeError",
    "TypeError",
    "ValueError",
)


@pytest.mark.hint('outcomes = ["no error", ...], the name of a class or "no error", in the order of the functions.')
def test_form(student):
    """There are ten predictions, and each is "no error" or the name of a class of the list."""
    for number, entry in enumerate(as_entries(student.value("outcomes"), COUNT, name="outcomes"), start=1):
        as_word(entry, WORDS, what=f"the prediction for case_{number}")
