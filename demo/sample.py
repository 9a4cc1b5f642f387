"""The sample class: who hands in what, and whether the marks are those that each submission must get."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.batch.planning import plan
from autograder.course.golden import Case, differences, load_case, notebook_bytes
from autograder.course.layout import Course

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class HandIn:
    """One submission of the sample class.

    Attributes:
        student: nbgrader's student id.
        assignment: Name of the assignment.
        case: The golden submission that is handed in.
        file: Name of the notebook file.
    """

    student: str
    assignment: str
    case: Case
    file: str


def sample_class(course: Course) -> Iterator[HandIn]:
    """Yields all submissions of `class.toml` for assignments with golden submissions.

    Args:
        course: Whose golden submissions are handed in.
    """
    table = tomllib.loads((FOLDER / "class.toml").read_text(encoding="utf-8"))
    for student, row in table.items():
        for assignment, entry in row.items():
            if assignment not in golden_assignments(course):
                continue
            name, file = (entry["case"], entry["file"]) if isinstance(entry, dict) else (entry, f"{assignment}.ipynb")
            own = FOLDER / "submissions" / assignment / name
            case = load_case(own if own.is_dir() else course.root / "tests" / assignment / "submissions" / name)
            yield HandIn(student, assignment, case, file)


def golden_assignments(course: Course) -> set[str]:
    """Returns the names of the assignments that have golden submissions.

    Args:
        course: Where to look.
    """
    return {path.parts[-4] for path in course.root.glob("tests/*/submissions/*/expect.toml")}


def hand_in(course: Course, one: HandIn) -> bool:
    """Writes a submission where students hand in, unless there is one.

    Args:
        course: Where to.
        one: What to write.

    Returns:
        Whether it was written.
    """
    folder = course.submitted(one.assignment, one.student)
    if folder.is_dir():
        return False
    folder.mkdir(parents=True)
    (folder / one.file).write_bytes(notebook_bytes(one.case, course.assignment(one.assignment).release))
    return True


def surprises(course: Course, handed_in: list[HandIn]) -> Iterator[str]:
    """Yields one sentence for each way in which the marks differ from what the sample class must get.

    Args:
        course: Where it was graded.
        handed_in: The sample class.
    """
    names = sorted({one.assignment for one in handed_in})
    planned = plan(course, names, student=None, sandbox="bubblewrap")
    known = {(one.job.student, one.job.assignment): one.known for one in planned}
    for one in handed_in:
        evaluation = known.get((one.student, one.assignment))
        found = differences(one.case, evaluation.checks) if evaluation else ("there is no evaluation",)
        yield from (f"{one.student}, {one.assignment} ({one.case.name}): {difference}" for difference in found)
