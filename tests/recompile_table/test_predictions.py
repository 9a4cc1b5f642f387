"""For every row it is predicted how many programs are compiled; the truth is measured, and each row counts."""

from __future__ import annotations

import pytest

from autograder.suite import as_count, as_entries, as_numpy, fail

ROWS = [f"E{number}" for number in range(1, 9)]
CALLS = 4


@pytest.mark.parametrize("place", [pytest.param(place, id=row) for place, row in enumerate(ROWS)])
@pytest.mark.weight(1)
@pytest.mark.hint(
    "Go through the lines of the row one by one: is there an earlier call that JAX cannot tell apart from this one? "
    "Then it has a program already, and none is compiled."
)
def test_count(student, reference, place):
    """It is predicted how many programs row {id} takes."""
    entry = as_entries(student.value("predictions"), len(ROWS), name="predictions")[place]
    if as_count(entry, what=f"the prediction for row {ROWS[place]}") != reference.COUNTS[ROWS[place]]:
        fail(f"The prediction for row {ROWS[place]} is wrong.")


@pytest.mark.parametrize("place", [pytest.param(place, id=f"call {place + 1}") for place in range(CALLS)])
@pytest.mark.weight(0.5)
@pytest.mark.hint(
    "A jitted function reads a global once, while it is traced, and keeps what it read in the program. Which program "
    "does this call run, and when was it traced?"
)
def test_added(student, reference, place):
    """It is predicted what {id} of row E8 adds."""
    what = f"the number that call {place + 1} of row E8 adds"
    entry = as_entries(student.value("added"), CALLS, name="added")[place]
    if entry is None:
        fail(f"T{what[1:]} is not filled in yet.")
    number = as_numpy(entry, what=what)
    if number.size != 1 or number.dtype.kind not in "iuf" or number.item() != reference.VALUES[place]:
        fail(f"T{what[1:]} is not the right one.")
