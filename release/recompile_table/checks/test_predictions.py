"""Public check of the form of `predictions` and `added`; whether they are right, only the hidden tests tell."""

from __future__ import annotations

import pytest

from autograder.suite import as_count, as_entries, as_numpy, fail

ROWS, CALLS = 8, 4


@pytest.mark.hint("predictions = [3, ...], one number for each row, in the order of the rows.")
def test_form(student):
    """There are eight predictions, and each is a number of programs."""
    for number, entry in enumerate(as_entries(student.value("predictions"), ROWS, name="predictions"), start=1):
        as_count(entry, what=f"the prediction for row E{number}")


@pytest.mark.hint("added = [1.0, ...], one number for each call of row E8.")
def test_form_of_added(student):
    """There are four numbers that the calls of row E8 add."""
    for number, entry in enumerate(as_entries(student.value("added"), CALLS, name="added"), start=1):
        if entry is None:
            fail(f"The number that call {number} adds is not filled in yet.")
        as_numpy(entry, what=f"the number that call {number} adds")
