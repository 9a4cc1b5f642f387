"""Finds the notebook among the files that a student handed in, whatever they are called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz

from autograder.course.cells import read_cells
from autograder.course.claim import claim
from autograder.course.decode import MAX_BYTES, decode
from autograder.course.files import NOT_THE_STUDENTS, read_bounded, regular_files
from autograder.course.layout import Assignment, Submission
from autograder.records import Repair

CANDIDATES = 20
"""Files that are read in search of the notebook."""


def read_submission(folder: Path, assignment: Assignment, *, student: str) -> Submission:
    """Reads what lies in a submitted folder.

    Args:
        folder: `submitted/<student>/<assignment>`; untrusted.
        assignment: What it was handed in for.
        student: nbgrader's student id.

    Returns:
        The submission. Where no file can be the notebook, its bytes are empty, and intake says so.
    """
    expected = f"{assignment.name}.ipynb"
    files = dict(regular_files(folder, skip=NOT_THE_STUDENTS))
    notebooks = [name for name in files if name.lower().endswith(".ipynb")]
    candidates = [_candidate(name, files[name], assignment) for name in _likeliest(notebooks or files, expected)]
    if not candidates:
        return Submission(student, b"", "", folder)
    best = max(candidates, key=lambda one: (one.answered > 0, one.name == expected, one.answered, one.claimed))
    if not notebooks and not best.claimed:
        return Submission(student, b"", "", folder)
    repairs = []
    shown = best.name.encode("utf-8", "backslashreplace").decode()  # a name may hold bytes that are no text
    if best.name != expected:
        repairs.append(Repair("renamed_file", "", f"{shown} was graded as {expected}."))
    if len(notebooks) > 1:
        message = f"{len(notebooks)} notebooks were handed in; {shown} was graded."
        repairs.append(Repair("several_notebooks", "", message))
    return Submission(student, best.raw, best.name, folder, tuple(repairs))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A file that may be the notebook, with the number of cells of the release and of answers that it holds."""

    name: str
    raw: bytes
    claimed: int
    answered: int


def _likeliest(names: Iterable[str], expected: str) -> list[str]:
    return sorted(names, key=lambda name: (-fuzz.ratio(name, expected), name))[:CANDIDATES]


def _candidate(name: str, path: Path, assignment: Assignment) -> _Candidate:
    try:
        raw = read_bounded(path, MAX_BYTES)
    except OSError:
        return _Candidate(name, b"", 0, 0)
    try:
        cells = read_cells(decode(raw)[0])
        claims = claim(cells, assignment.cells)
    except ValueError:
        return _Candidate(name, raw, 0, 0)
    stubs = {cell.grade_id: cell.source.split() for cell in assignment.answers}
    answered = sum(
        grade_id in stubs and cells[index].source.split() != stubs[grade_id]
        for index, grade_id in claims.by_cell.items()
    )
    return _Candidate(name, raw, len(claims.by_cell) if claims.found else 0, answered if claims.found else 0)
