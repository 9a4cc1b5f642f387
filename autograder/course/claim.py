"""Which of a student's cells stands for which cell of the release: by grade_id, else by likeness.

Editors strip metadata, students copy, delete and retype cells. Every rule here reads text and never runs it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from autograder.course.cells import Cell, Role
from autograder.records import Repair

LIKENESS = 60.0
"""Per cent of similar text from which a cell counts as a changed copy of one of the release."""

COMPARED = 4_000
"""Characters of a cell that are compared, so that a hostile notebook cannot make the comparison slow."""

CANDIDATES = 200
"""Unclaimed cells that are compared."""

_DEFINITION = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Claims:
    """What stands for what.

    Attributes:
        by_cell: From the index of a student's cell to the grade_id of the release cell that it stands for.
        dropped: Indices of student's cells that are copies without work of their own.
        repairs: What was decided that the metadata alone did not say.
        found: Whether anything of the release was recognised.
    """

    by_cell: Mapping[int, str]
    dropped: frozenset[int]
    repairs: tuple[Repair, ...]
    found: bool


class _Claiming:
    """The work in progress of `claim`."""

    def __init__(self, cells: Sequence[Cell], release: Sequence[Cell]) -> None:
        self.cells = cells
        self.release = {cell.grade_id: cell for cell in release if cell.grade_id}
        self.texts = {_words(cell) for cell in release}
        self.lost = 0
        self.by_cell: dict[int, str] = {}
        self.dropped: set[int] = set()
        self.repairs: list[Repair] = []

    def open(self, *roles: Role) -> list[Cell]:
        """Cells of the release that nothing stands for yet."""
        taken = set(self.by_cell.values())
        return [cell for cell in self.release.values() if cell.role in roles and cell.grade_id not in taken]

    def free(self) -> list[int]:
        """Student's cells that stand for nothing yet and hold text."""
        return [
            index
            for index, cell in enumerate(self.cells)
            if index not in self.by_cell and index not in self.dropped and cell.source.strip()
        ]

    def note(self, kind: str, cell: Cell, message: str) -> None:
        """Lists a repair."""
        self.repairs.append(Repair(kind, cell.grade_id, message))


def claim(cells: Sequence[Cell], release: Sequence[Cell]) -> Claims:
    """Finds what stands for what.

    Args:
        cells: The student's cells.
        release: The cells of the release.
    """
    work = _Claiming(cells, release)
    _by_id(work)
    _by_text(work)
    _by_names(work)
    _by_likeness(work)
    _drop_copies(work)
    if work.lost:
        message = f"{work.lost} cells had lost their nbgrader metadata and were found by their text."
        work.repairs.append(Repair("lost_metadata", "", message))
    claimed = [work.release[grade_id] for grade_id in work.by_cell.values()]
    answered = any(cell.role is Role.ANSWER for cell in claimed)
    found = answered or 0 < len(work.release) <= 2 * len(claimed)
    return Claims(work.by_cell, frozenset(work.dropped), tuple(work.repairs), found)


def defined_names(source: str) -> tuple[str, ...]:
    """Returns the names that a cell defines or assigns in its outermost block, in order; works on any text."""
    return tuple(dict.fromkeys(first or second for first, second in _DEFINITION.findall(source)))


def _by_id(work: _Claiming) -> None:
    """Cells that still carry the id. Of several, the last that holds work; copies of the author's text are dropped."""
    carriers: dict[str, list[int]] = defaultdict(list)
    for index, cell in enumerate(work.cells):
        if cell.grade_id in work.release:
            carriers[cell.grade_id].append(index)
    for grade_id, indices in carriers.items():
        wanted = work.release[grade_id]
        if wanted.role in (Role.ANSWER, Role.MANUAL):
            # An answer that lost what it must define has been emptied or overwritten: let the names decide.
            worked = [index for index in indices if _answers(work.cells[index], wanted)]
            chosen = (worked or indices)[-1]
        else:
            chosen = indices[0]
        work.by_cell[chosen] = grade_id
        if len(indices) > 1:
            message = "The cell was there more than once; the last one with work in it counts as the answer."
            if wanted.role not in (Role.ANSWER, Role.MANUAL):
                message = "The cell was there more than once; only the course's own is used."
            work.note("duplicated_cell", wanted, message)


def _by_text(work: _Claiming) -> None:
    """Cells without an id whose text is the release's."""
    waiting = {_words(cell): cell for cell in work.open(*Role)}
    for index in work.free():
        wanted = waiting.pop(_words(work.cells[index]), None)
        if wanted:
            work.by_cell[index] = wanted.grade_id
            work.lost += 1


def _by_names(work: _Claiming) -> None:
    """Answers that are found by the names that the release asks for, also where an emptied cell still has the id."""
    stubs = [cell for cell in work.release.values() if cell.role is Role.ANSWER and cell.kind == "code"]
    for wanted in stubs:
        holder = next((index for index, grade_id in work.by_cell.items() if grade_id == wanted.grade_id), None)
        if holder is not None and _answers(work.cells[holder], wanted):
            continue
        taken = {index for index, grade_id in work.by_cell.items() if work.release[grade_id].role is Role.ANSWER}
        fitting = [
            index
            for index, cell in enumerate(work.cells)
            if index not in taken and _words(cell) not in work.texts and _answers(cell, wanted)
        ]
        if not fitting:
            continue
        if holder is not None:
            del work.by_cell[holder]
        work.by_cell[fitting[-1]] = wanted.grade_id
        work.note("matched_answer", wanted, "The answer was found in another cell, by the names that it defines.")


def _by_likeness(work: _Claiming) -> None:
    """The rest: the most similar text first, if it is similar enough."""
    waiting = work.open(*Role)
    pairs = []
    for index in work.free()[:CANDIDATES]:
        text = work.cells[index].source[:COMPARED]
        for rank, wanted in enumerate(waiting):
            if work.cells[index].kind == wanted.kind:
                ratio = fuzz.ratio(text, wanted.source[:COMPARED], score_cutoff=LIKENESS)
                if ratio:
                    pairs.append((-ratio, rank, index))
    taken: set[int] = set()
    for _, rank, index in sorted(pairs):
        if rank not in taken and index not in work.by_cell:
            taken.add(rank)
            work.by_cell[index] = waiting[rank].grade_id
            work.lost += 1


def _drop_copies(work: _Claiming) -> None:
    """Copies of the author's cells are left out: a copy of an unanswered cell, run after the answer, would undo it."""
    authored = {_words(work.release[grade_id]) for grade_id in work.by_cell.values()}
    work.dropped.update(index for index in work.free() if _words(work.cells[index]) in authored)


def _answers(cell: Cell, wanted: Cell) -> bool:
    """Whether the cell holds work for this answer: not the release's text, and at least one of the names asked for."""
    if not cell.source.strip() or _words(cell) == _words(wanted):
        return False
    names = defined_names(wanted.source)
    return not names or not set(names).isdisjoint(defined_names(cell.source))


def _words(cell: Cell) -> tuple[str, ...]:
    """The text without regard to white space."""
    return tuple(cell.source.split())
