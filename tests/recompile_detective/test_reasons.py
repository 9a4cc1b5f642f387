"""For every call a reason is named: any difference to the nearest earlier call is right, and each call counts."""

from __future__ import annotations

import pytest

from autograder.suite import as_entries, as_word, fail

COUNT = 8
EACH_CALL = pytest.mark.parametrize("number", [pytest.param(n, id=f"call {n}") for n in range(1, COUNT + 1)])


@pytest.fixture(scope="module")
def reasons(student):
    """Gives the entries of the student's list."""
    return as_entries(student.value("reasons"), COUNT, name="reasons")


@EACH_CALL
@pytest.mark.hint(
    "Write the signatures of all calls one below the other. Look for the earlier one that differs in the fewest "
    "attributes, and name such an attribute."
)
def test_reason(reasons, reference, number):
    """The reason for {id} is named."""
    word = as_word(reasons[number - 1], reference.WORDS, what=f"the reason for call {number}")
    if word not in reference.REASONS[number - 1]:
        fail(f"The reason for call {number} is not the right one.")
