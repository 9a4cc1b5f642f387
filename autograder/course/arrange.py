"""The order and text of the notebook that is graded: the student's order, the author's cells with the author's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.course.cells import Cell, Role
from autograder.course.claim import Claims
from autograder.records import Repair


def arrange(
    cells: Sequence[Cell], claims: Claims, release: Sequence[Cell]
) -> tuple[tuple[Cell, ...], tuple[Repair, ...]]:
    """Puts the notebook together.

    Args:
        cells: The student's cells.
        claims: Which of them stand for which cell of the release.
        release: The cells of the release.

    Returns:
        The cells of the notebook to grade, and what was changed.
    """
    repairs: list[Repair] = []
    wanted = {cell.grade_id: cell for cell in release if cell.grade_id}
    arranged = []
    for index, cell in enumerate(cells):
        if index in claims.by_cell:
            arranged.append(_restored(cell, wanted[claims.by_cell[index]], repairs))
        elif index not in claims.dropped:
            arranged.append(replace(cell, role=Role.PLAIN, grade_id="", points=0.0))
    _add_missing(arranged, list(wanted.values()), repairs)
    return _hoisted(arranged, release, repairs), tuple(repairs)


def _restored(cell: Cell, wanted: Cell, repairs: list[Repair]) -> Cell:
    """The student's text in an answer, the author's in every other cell, with the author's metadata in both."""
    if wanted.role in (Role.GRADE, Role.LOCKED):
        if cell.source.split() != wanted.source.split():
            message = "The locked cell had been changed and was restored."
            repairs.append(Repair("restored_cell", wanted.grade_id, message))
        return wanted
    if cell.kind != wanted.kind:
        message = f"The cell had been turned into a {cell.kind} cell; it was read as {wanted.kind}."
        repairs.append(Repair("retyped_cell", wanted.grade_id, message))
    return replace(wanted, source=cell.source, raw=cell.raw)


def _add_missing(arranged: list[Cell], wanted: Sequence[Cell], repairs: list[Repair]) -> None:
    """Adds each missing cell of the release behind the cell that it follows there."""
    place = 0
    for cell in wanted:
        found = next((index for index, present in enumerate(arranged) if present.grade_id == cell.grade_id), None)
        if found is not None:
            place = found + 1
            continue
        arranged.insert(place, cell)
        place += 1
        if cell.role in (Role.ANSWER, Role.MANUAL):
            message = f"The answer cell {cell.grade_id} was missing; the empty one of the release stands in its place."
            repairs.append(Repair("missing_answer", cell.grade_id, message))
        else:
            repairs.append(Repair("added_cell", cell.grade_id, "The locked cell was missing and has been added."))


def _hoisted(arranged: Sequence[Cell], release: Sequence[Cell], repairs: list[Repair]) -> tuple[Cell, ...]:
    """Runs the author's set-up before the answers that it precedes in the release, wherever the student moved it."""
    ordered: list[Cell] = []
    done: set[str] = set()
    setup: dict[str, list[Cell]] = {}
    before: list[Cell] = []
    for cell in release:
        if cell.role is Role.LOCKED and cell.kind == "code":
            before.append(cell)
        elif cell.role is Role.ANSWER:
            setup[cell.grade_id] = list(before)
    for cell in arranged:
        for needed in setup.get(cell.grade_id, []) if cell.role is Role.ANSWER else []:
            if needed.grade_id not in done:
                done.add(needed.grade_id)
                ordered.append(needed)
                message = "The locked cell stood behind an answer that needs it and was moved before it."
                repairs.append(Repair("moved_cell", needed.grade_id, message))
        if cell.role is Role.LOCKED and cell.grade_id in done:
            continue
        if cell.role is Role.LOCKED:
            done.add(cell.grade_id)
        ordered.append(cell)
    return tuple(ordered)
