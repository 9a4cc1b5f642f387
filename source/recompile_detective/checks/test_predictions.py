"""Public check of the form of `predictions`; whether they are right, only the hidden tests tell."""

from __future__ import annotations

import pytest

from autograder.suite import as_bool, as_entries

COUNT = 8


@pytest.mark.hint("predictions = [True, False, ...], one entry for each call, in the order of the calls.")
def test_form(student):
    """There are eight predictions, and each is True or False."""
    for number, entry in enumerate(as_entries(student.value("predictions"), COUNT, name="predictions"), start=1):
        as_bool(entry, what=f"the prediction for call {number}")
