"""Intake makes a notebook that can be run and graded out of whatever bytes were handed in, and lists what it changed.

It is a pure function of the submission and the release, executes nothing and trusts nothing:

1. *Read*: decode, parse, take the few facts of each cell (`autograder.course.cells`).
2. *Claim*: find for each cell of the release the student's cell that stands for it: by grade_id, else by likeness
   (the same text, the names that the answer must define, similar text).
3. *Arrange*: keep the student's order; the author's cells have the author's text, and none stands later than it must.

The maximum never depends on what was handed in, since the checks are the release's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from autograder.course.arrange import arrange
from autograder.course.cells import Cell, Role, read_cells
from autograder.course.claim import claim
from autograder.course.decode import decode
from autograder.course.idle import defined_elsewhere, not_needed
from autograder.course.layout import Assignment, Submission
from autograder.records import Repair


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell of the notebook that is graded.

    Attributes:
        cell: Its kind, text and role. The role and grade_id are the release's, never the student's.
        number: Its place among the code cells, counted from 1; what a student reads as `cell 3`. 0 if it is no code.
        runs: Whether the student box runs it: all code but the locked grade cells, and demonstrations without need.
        answered: Of an answer: whether it differs from the release. True of all others.
    """

    cell: Cell
    number: int
    runs: bool
    answered: bool = True


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of a submission before anything of it ran.

    Attributes:
        cells: The notebook to grade, in the order in which it runs; the release where the submission is beyond repair.
        repairs: What was changed.
        reason: Why it cannot be graded and what to do; empty if it can.
        whose: Whose fault that is, as in `autograder.faults`; empty if it can be graded.
    """

    cells: tuple[Placed, ...]
    repairs: tuple[Repair, ...] = ()
    reason: str = ""
    whose: str = ""

    @property
    def gradable(self) -> bool:
        """Whether there is a notebook to grade."""
        return not self.reason

    @property
    def to_run(self) -> tuple[Placed, ...]:
        """The cells that the student box runs, in order."""
        return tuple(placed for placed in self.cells if placed.runs)


def intake(submission: Submission, assignment: Assignment) -> Intake:
    """Reads what was handed in and repairs what can be repaired.

    Args:
        submission: What was handed in.
        assignment: The assignment, for the cells of its release.
    """
    repairs = list(submission.repairs)
    release = assignment.cells
    if submission.folder and not (submission.filename or submission.raw):
        return _refused(release, tuple(repairs), "No notebook was handed in.")
    try:
        document, how = decode(submission.raw)
        repairs += how
        cells = read_cells(document)
    except ValueError as error:
        return _refused(release, tuple(repairs), f"The file is no notebook that can be read: {error}.")
    claims = claim(cells, release)
    if not claims.found:
        reason = f"The notebook holds none of the cells of {assignment.name}; it may belong to another assignment."
        return _refused(release, tuple(repairs), reason)
    repairs += _other_kernel(document)
    arranged, moved = arrange(cells, claims, release)
    put_in = frozenset(repair.cell for repair in moved if repair.kind == "missing_answer")
    merged = defined_elsewhere(arranged, put_in)
    told = [_told(repair, {arranged[index].grade_id for index in merged}) for repair in moved]
    return Intake(_placed(arranged, release, merged=merged), (*repairs, *claims.repairs, *told))


def _refused(release: tuple[Cell, ...], repairs: tuple[Repair, ...], reason: str) -> Intake:
    remedy = "A person looks at it; hand in the notebook as the course gave it out, with the answers filled in."
    return Intake(_placed(release, release), repairs, f"{reason} {remedy}", "the student's work")


def _placed(
    cells: tuple[Cell, ...], release: tuple[Cell, ...], *, merged: frozenset[int] = frozenset()
) -> tuple[Placed, ...]:
    """Numbers the cells and says which of them run.

    A placeholder whose answer was `merged` into another cell does not: it would undo that.
    """
    stubs = {cell.grade_id: cell.source.split() for cell in release if cell.role in (Role.ANSWER, Role.MANUAL)}
    idle = not_needed(cells, release) | merged
    placed, number = [], 0
    for index, cell in enumerate(cells):
        code = cell.kind == "code"
        number += code
        placed.append(
            Placed(
                cell=cell,
                number=number if code else 0,
                runs=code and cell.role is not Role.GRADE and index not in idle,
                answered=cell.source.split() != stubs.get(cell.grade_id),
            )
        )
    return tuple(placed)


def _told(repair: Repair, merged: set[str]) -> Repair:
    """Says of a missing answer cell what became of its answer."""
    if repair.kind != "missing_answer" or repair.cell not in merged:
        return repair
    return Repair("merged_answer", repair.cell, f"The answer cell {repair.cell} was missing; another cell answers it.")


def _other_kernel(document: Any) -> list[Repair]:
    """Notes that the metadata name another language's kernel; the course's own is used whatever they name."""
    metadata = document.get("metadata")
    spec = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    name = spec.get("name") if isinstance(spec, dict) else None
    if not isinstance(name, str) or name.startswith("python"):
        return []
    return [Repair("other_kernel", "", "The notebook names another kernel; it was run with the course's.")]
