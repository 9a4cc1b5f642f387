"""The few facts of a notebook cell that grading needs, read from untrusted JSON without trusting its form.

`nbformat` would refuse, or fail in many ways, where a student's editor left something out; here whatever is not of the
expected form counts as absent. Reads nbformat 2 to 4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

MAX_CELLS = 2_000
"""A notebook of more cells than this is no student's work."""

MAX_SOURCE = 4_000_000
"""Characters of all sources of a notebook together."""

MAX_ID = 200
"""Characters of a grade_id."""


class Role(StrEnum):
    """What nbgrader uses a cell for."""

    GRADE = "grade"
    """Locked; earns points by tests."""
    ANSWER = "answer"
    """The student fills it in; earns points through other cells."""
    MANUAL = "manual"
    """The student fills it in, and a person gives the points."""
    LOCKED = "locked"
    """Read-only text or code of the author; also a task, for which a person gives points."""
    PLAIN = "plain"
    """Not nbgrader's."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell.

    Attributes:
        kind: `code`, `markdown` or `raw`.
        source: Its text.
        role: What nbgrader uses it for, as its metadata say.
        grade_id: nbgrader's id; empty for a plain cell.
        points: What a person or a check gives for it at most; 0 if nothing.
        tags: What its author tagged it with.
        raw: The JSON object it was read from.
    """

    kind: str
    source: str
    role: Role = Role.PLAIN
    grade_id: str = ""
    points: float = 0.0
    tags: frozenset[str] = frozenset()
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)


def read_cells(document: object) -> tuple[Cell, ...]:
    """Reads the cells of a notebook.

    Args:
        document: What `json.loads` made of the file.

    Raises:
        ValueError: It is no notebook, or one that is far too large; the message says which.
    """
    cells = [_cell(raw) for raw in _raw_cells(document)]
    if sum(len(cell.source) for cell in cells) > MAX_SOURCE:
        raise ValueError(f"its cells hold more than {MAX_SOURCE} characters")
    return tuple(cells)


def _raw_cells(document: object) -> Iterator[Mapping[str, Any]]:
    if not isinstance(document, dict):
        raise ValueError("it is not a JSON object")
    lists = [document.get("cells")]
    worksheets = document.get("worksheets")
    if not isinstance(lists[0], list) and isinstance(worksheets, list):  # nbformat 2 and 3
        lists = [sheet.get("cells") for sheet in worksheets[:MAX_CELLS] if isinstance(sheet, dict)]
    if not any(isinstance(cells, list) for cells in lists):
        raise ValueError("it has no list of cells")
    count = 0
    for cells in lists:
        for raw in cells if isinstance(cells, list) else []:
            count += 1
            if count > MAX_CELLS:
                raise ValueError(f"it has more than {MAX_CELLS} cells")
            if isinstance(raw, dict):
                yield raw


def _cell(raw: Mapping[str, Any]) -> Cell:
    kind = raw.get("cell_type")
    source = _text(raw.get("source", raw.get("input")))
    if kind == "heading":  # nbformat 3
        level = raw.get("level")
        source = "#" * (level if level in (1, 2, 3, 4, 5, 6) else 1) + " " + source
    role, grade_id, points = _nbgrader(raw.get("metadata"))
    return Cell(
        kind=kind if kind in ("code", "raw") else "markdown",
        source=source,
        role=role,
        grade_id=grade_id,
        points=points,
        tags=_tags(raw.get("metadata")),
        raw=raw,
    )


def _text(value: object) -> str:
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    text = value if isinstance(value, str) else ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # as Python reads it
    return text.encode("utf-8", "replace").decode()  # a lone surrogate is valid JSON, and breaks whatever writes it


def _nbgrader(metadata: object) -> tuple[Role, str, float]:
    facts = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    if not isinstance(facts, dict):
        return Role.PLAIN, "", 0.0
    grade, solution, task = (facts.get(key) is True for key in ("grade", "solution", "task"))
    if grade and solution:
        role = Role.MANUAL
    elif grade:
        role = Role.GRADE
    elif solution:
        role = Role.ANSWER
    else:
        role = Role.LOCKED if task or facts.get("locked") is True else Role.PLAIN
    grade_id = facts.get("grade_id")
    grade_id = _text(grade_id) if isinstance(grade_id, str) and len(grade_id) <= MAX_ID else ""
    return role, grade_id, _points(facts.get("points"))


def _tags(metadata: object) -> frozenset[str]:
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return frozenset(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else frozenset()


def _points(value: object) -> float:
    """Reads points as nbgrader does, from a number or its text; what is no finite number is 0."""
    try:
        points = float(value) if isinstance(value, int | float | str) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return points if math.isfinite(points) else 0.0
