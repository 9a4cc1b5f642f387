"""Intake makes a notebook that can be graded out of what was handed in, and lists every repair."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.course.cells import MAX_CELLS, MAX_SOURCE, Role, read_cells
from autograder.course.intake import Intake, intake
from autograder.course.layout import Assignment, Submission

DOUBLE = "def double(x):\n    return FACTOR * x\n"
TRIPLE = "def triple(x):\n    return 3 * x\n"

Cells = list[dict[str, Any]]


def take(assignment: Assignment, document: object) -> Intake:
    """Takes in a notebook; bytes as they are, all else as JSON."""
    raw = document if isinstance(document, bytes) else json.dumps(document).encode()
    return intake(Submission("ann", raw, "doubling.ipynb"), assignment)


def code_of(taken: Intake, grade_id: str) -> str:
    """Returns the text that stands for a cell of the release."""
    (source,) = [placed.cell.source for placed in taken.cells if placed.cell.grade_id == grade_id]
    return source


def kinds(taken: Intake) -> list[tuple[str, str]]:
    """Returns the repairs as pairs of kind and cell."""
    return [(repair.kind, repair.cell) for repair in taken.repairs]


@pytest.fixture
def answered(doubling: Assignment) -> dict[str, Any]:
    """The release with both answers filled in, as a notebook."""
    document: dict[str, Any] = json.loads(doubling.release.read_bytes())
    document["cells"][2]["source"] = DOUBLE
    document["cells"][4]["source"] = TRIPLE
    return document


def test_untouched_order(doubling: Assignment, answered: dict[str, Any]) -> None:
    """A notebook that needs no repair is graded as it is, without its locked grade cells."""
    taken = take(doubling, answered)
    assert taken.repairs == ()
    assert [placed.cell.grade_id for placed in taken.to_run] == ["setup", "double", "triple"]
    assert [placed.number for placed in taken.to_run] == [1, 2, 4]


def test_unanswered(doubling: Assignment) -> None:
    """The untouched release is gradable, with nothing answered and nothing repaired."""
    taken = take(doubling, doubling.release.read_bytes())
    assert taken.gradable
    assert taken.repairs == ()
    assert {placed.cell.grade_id for placed in taken.cells if not placed.answered} == {"double", "triple"}


def strip_metadata(cells: Cells) -> None:
    """Another editor dropped all metadata."""
    for cell in cells:
        cell["metadata"] = {}


def change_ids(cells: Cells) -> None:
    """Every grade_id was changed."""
    for cell in cells:
        if "nbgrader" in cell["metadata"]:
            cell["metadata"]["nbgrader"]["grade_id"] += "-copy"


def delete_locked(cells: Cells) -> None:
    """The set-up and a grade cell were deleted."""
    del cells[3], cells[1]


def change_locked(cells: Cells) -> None:
    """The set-up and a grade cell were changed."""
    cells[1]["source"] = "FACTOR = 3"
    cells[3]["source"] = "# I passed"


def reverse(cells: Cells) -> None:
    """The cells stand in the opposite order."""
    cells.reverse()


def duplicate_stub(cells: Cells) -> None:
    """A copy of the unanswered cell comes after the answer."""
    stub = json.loads(json.dumps(cells[2]))
    stub["source"] = "def double(x):\n    raise NotImplementedError  # YOUR CODE HERE\n"
    cells.append(stub)


def move_answer_into_own_cell(cells: Cells) -> None:
    """The answer stands in a cell of the student's own and the answer cell was emptied."""
    cells.insert(2, {"cell_type": "code", "metadata": {}, "source": cells[2]["source"], "outputs": []})
    cells[3]["source"] = ""


def answer_in_locked_cell(cells: Cells) -> None:
    """The answer was written into the locked grade cell."""
    cells[3]["source"] = cells[2]["source"]
    cells[2]["source"] = "def double(x):\n    raise NotImplementedError  # YOUR CODE HERE\n"


def retype_answer(cells: Cells) -> None:
    """The answer cell was turned into a text cell."""
    cells[2]["cell_type"] = "markdown"


def lines_as_list(cells: Cells) -> None:
    """Sources are lists of lines, as Jupyter writes them."""
    for cell in cells:
        cell["source"] = cell["source"].splitlines(keepends=True)


REPAIRABLE: dict[Callable[[Cells], None], set[tuple[str, str]]] = {
    strip_metadata: {("lost_metadata", ""), ("matched_answer", "double"), ("matched_answer", "triple")},
    change_ids: {("lost_metadata", ""), ("matched_answer", "double"), ("matched_answer", "triple")},
    delete_locked: {("added_cell", "setup"), ("added_cell", "numerics")},
    change_locked: {("restored_cell", "setup"), ("restored_cell", "numerics")},
    reverse: {("moved_cell", "setup")},
    duplicate_stub: {("duplicated_cell", "double")},
    move_answer_into_own_cell: {("matched_answer", "double")},
    answer_in_locked_cell: {("matched_answer", "double"), ("added_cell", "numerics")},
    retype_answer: {("retyped_cell", "double")},
    lines_as_list: set(),
}


@pytest.mark.parametrize("damage", REPAIRABLE, ids=lambda damage: damage.__name__)
def test_repairs(doubling: Assignment, answered: dict[str, Any], damage: Callable[[Cells], None]) -> None:
    """Whatever happened to the cells, the answers run after the author's set-up, and exactly that repair is listed."""
    damage(answered["cells"])
    taken = take(doubling, answered)
    assert taken.gradable
    namespace: dict[str, Any] = {}
    for placed in taken.to_run:
        exec(placed.cell.source, namespace)
    assert namespace["double"](4) == 8
    assert namespace["triple"](4) == 12
    assert set(kinds(taken)) == REPAIRABLE[damage]
    assert sorted(placed.cell.points for placed in taken.cells if placed.cell.role is Role.GRADE) == [2, 3]


def test_missing_answer(doubling: Assignment, answered: dict[str, Any]) -> None:
    """A deleted answer is replaced by the empty one of the release, and said so; the other counts."""
    del answered["cells"][2]
    taken = take(doubling, answered)
    assert kinds(taken) == [("missing_answer", "double")]
    assert "NotImplementedError" in code_of(taken, "double")
    assert code_of(taken, "triple") == TRIPLE


def test_merged_answers_are_kept(doubling: Assignment, answered: dict[str, Any]) -> None:
    """Where one cell holds two answers, the placeholder put in for the missing cell does not undo the second."""
    cells = answered["cells"]
    cells[2]["source"] = f"{TRIPLE}\n\n\ndef double(x):\n    return 2 * x\n"
    cells[2]["metadata"] = {}
    answered["cells"] = [cell for cell in cells if cell["source"] != TRIPLE]
    taken = take(doubling, answered)
    assert ("merged_answer", "triple") in kinds(taken)
    run = [placed.cell.source for placed in taken.to_run]
    assert sum("def double" in source for source in run) == 1
    assert not any("NotImplementedError" in source for source in run)


def test_extra_cells_stay_in_place(doubling: Assignment, answered: dict[str, Any]) -> None:
    """Cells of the student's own run where the student put them, without nbgrader's metadata."""
    fake = {"grade_id": "bonus", "grade": True, "locked": True, "points": 100, "solution": False}
    cells = answered["cells"]
    cells.insert(2, {"cell_type": "code", "metadata": {"nbgrader": fake}, "source": "helper = 1", "outputs": []})
    taken = take(doubling, answered)
    assert [placed.cell.source for placed in taken.to_run][1] == "helper = 1"
    assert sum(placed.cell.points for placed in taken.cells) == 5.0
    assert taken.repairs == ()


def test_last_answer_of_two(doubling: Assignment, answered: dict[str, Any]) -> None:
    """Of two cells with the same id, the last with work in it is the answer; both run in their order."""
    second = json.loads(json.dumps(answered["cells"][2]))
    second["source"] = "def double(x):\n    return x + x\n"
    answered["cells"].append(second)
    taken = take(doubling, answered)
    assert code_of(taken, "double") == "def double(x):\n    return x + x\n"
    assert DOUBLE in [placed.cell.source for placed in taken.to_run]
    assert kinds(taken) == [("duplicated_cell", "double")]


def test_other_assignment(doubling: Assignment) -> None:
    """A notebook that holds nothing of the assignment is left to a person, as the student's doing."""
    cell = {"cell_type": "code", "metadata": {}, "source": "print('another course')", "outputs": []}
    taken = take(doubling, {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})
    assert "another assignment" in taken.reason
    assert taken.whose == "the student's work"
    assert [placed.cell.grade_id for placed in taken.cells if placed.cell.role is Role.GRADE] == ["numerics", "tripled"]


def test_old_format(doubling: Assignment, answered: dict[str, Any]) -> None:
    """A notebook of format 3 is read as if it were of format 4."""
    cells = [
        {**{key: value for key, value in cell.items() if key != "source"}, "input": cell["source"]}
        if cell["cell_type"] == "code"
        else cell
        for cell in answered["cells"]
    ]
    taken = take(doubling, {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]})
    assert kinds(taken) == [("converted_format", "")]
    assert code_of(taken, "double") == DOUBLE


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"])
def test_encodings(doubling: Assignment, answered: dict[str, Any], encoding: str) -> None:
    """A notebook in another encoding is read, accents and all, and the encoding is listed."""
    answered["cells"][2]["source"] = f"# für Zoë\n{DOUBLE}"
    taken = take(doubling, json.dumps(answered, ensure_ascii=False).encode(encoding))
    assert code_of(taken, "double") == f"# für Zoë\n{DOUBLE}"
    assert kinds(taken) == [("decoded_text", "")]


@pytest.mark.parametrize("sign", ["\r\n", "\r"], ids=["windows", "old mac"])
def test_line_ends(doubling: Assignment, answered: dict[str, Any], sign: str) -> None:
    """Cells are read as Python reads them, whatever their lines end with, and nothing has to be repaired."""
    for cell in answered["cells"]:
        cell["source"] = cell["source"].replace("\n", sign)
    taken = take(doubling, answered)
    assert code_of(taken, "double") == DOUBLE
    assert taken.repairs == ()


def test_gigantic_numbers(doubling: Assignment, answered: dict[str, Any]) -> None:
    """A number of more digits than Python reads costs no mark; the notebook needs none."""
    answered["cells"][2]["execution_count"] = answered["metadata"]["version"] = 123456789
    raw = json.dumps(answered).replace("123456789", "9" * 100_000).encode()
    assert code_of(take(doubling, raw), "double") == DOUBLE


def test_other_kernel(doubling: Assignment, answered: dict[str, Any]) -> None:
    """Another language's kernel in the metadata is listed and not used."""
    answered["metadata"]["kernelspec"]["name"] = "julia-1.11"
    assert kinds(take(doubling, answered)) == [("other_kernel", "")]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"[]",
        b"null",
        b'{"cells": 3}',
        b'{"cells": [',
        b'{"worksheets": [[]]}',
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"cells": [' + b"{}," * MAX_CELLS + b"{}]}",
        b'{"cells": [{"source": "' + b"x" * (MAX_SOURCE + 1) + b'"}]}',
        b"9" * 10_000,
        b"[" + b"[]," * 1_500_000 + b"1]",
    ],
    ids=[
        "empty",
        "png",
        "list",
        "null",
        "no list",
        "half",
        "sheets",
        "deep list",
        "deep",
        "many",
        "long",
        "digits",
        "values",
    ],
)
def test_no_notebook(doubling: Assignment, raw: bytes) -> None:
    """What is no notebook, or a hostile one, is left to a person with a reason, and the release stands in its place."""
    taken = take(doubling, raw)
    assert taken.reason.startswith("The file is no notebook that can be read: ")
    assert [placed.cell for placed in taken.cells] == list(doubling.cells)


def test_broken_characters(doubling: Assignment, answered: dict[str, Any]) -> None:
    """Half of a surrogate pair, which JSON allows and UTF-8 does not, does not stop what writes the notebook."""
    answered["cells"][2]["source"] = f"# \ud83d\n{DOUBLE}"
    assert code_of(take(doubling, answered), "double").encode() == f"# ?\n{DOUBLE}".encode()


def test_hostile_facts(doubling: Assignment, answered: dict[str, Any]) -> None:
    """Metadata of any form are read without an error, and what is not of the expected form counts as absent."""
    hostile: list[Any] = [None, 3, [], {"nbgrader": 3}, {"nbgrader": {"grade_id": ["a"], "points": "1e999"}}, "x"]
    for cell, metadata in zip(answered["cells"], hostile, strict=True):
        cell["metadata"] = metadata
    answered["cells"] += [None, 7, "text", {}, {"cell_type": 3, "source": 3}, {"source": [1, "a", None]}]
    answered["metadata"] = "no"
    taken = take(doubling, answered)
    assert code_of(taken, "double") == DOUBLE


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
CELL = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON,
        "source": st.sampled_from([DOUBLE, TRIPLE, "", "x = 1"]) | JSON,
        "metadata": JSON
        | st.fixed_dictionaries(
            {"nbgrader": st.fixed_dictionaries({"grade_id": st.sampled_from(["double", "numerics", "x"])}) | JSON}
        ),
        "attachments": JSON,
    },
)


RELEASE = read_cells(
    {
        "cells": [
            {"source": "def double(x): ...", "metadata": {"nbgrader": {"grade_id": "double", "solution": True}}},
            {"source": "check()", "metadata": {"nbgrader": {"grade_id": "numerics", "grade": True, "points": 1}}},
        ]
    }
)


@settings(deadline=None)
@given(cells=st.lists(CELL | JSON, max_size=8))
def test_any_json(cells: list[Any]) -> None:
    """Whatever JSON is handed in, nothing raises, and each cell of the release is there exactly once."""
    assignment = Assignment("a", Path("a"), Path("a"), Path("a"), RELEASE, ())
    taken = take(assignment, {"cells": cells})
    assert sorted(placed.cell.grade_id for placed in taken.cells if placed.cell.grade_id) == ["double", "numerics"]


@settings(deadline=None)
@given(raw=st.binary(max_size=200))
def test_any_bytes(raw: bytes) -> None:
    """Whatever bytes are handed in, the outcome is a notebook or a reason."""
    assignment = Assignment("a", Path("a"), Path("a"), Path("a"), RELEASE, ())
    assert not take(assignment, raw).gradable
