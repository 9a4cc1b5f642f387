"""The marks that stand in a gradebook, check by check, and how two gradebooks differ."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from nbgrader.api import Grade, Gradebook, MissingEntry, SubmittedAssignment

from autograder.course.layout import Course
from autograder.gradebook.configure import quiet
from autograder.gradebook.sharing import one_writer


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands for one check, or for an answer that a person reads.

    Attributes:
        points: Points, extra credit included; `None` while it waits for a person.
        by_person: Whether a person gave them.
    """

    points: float | None
    by_person: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands for one submission.

    Attributes:
        score: Points after the late penalty, as `nbgrader export` writes them.
        max_score: Points that can be had.
        late_penalty: Points taken off for lateness.
        marks: What stands for each grade cell, by grade_id.
    """

    score: float
    max_score: float
    late_penalty: float
    marks: Mapping[str, Mark]


@dataclass(frozen=True, slots=True)
class Change:
    """How a student's marks differ between two gradebooks.

    Attributes:
        student: nbgrader's student id.
        before: What stood; `None` if nothing did.
        after: What stands now; `None` if nothing does.
    """

    student: str
    before: Standing | None
    after: Standing | None

    @property
    def points(self) -> float:
        """Points gained, or lost if negative; what did not stand before counts as 0."""
        return (self.after.score if self.after else 0.0) - (self.before.score if self.before else 0.0)

    @property
    def checks(self) -> Mapping[str, tuple[Mark | None, Mark | None]]:
        """The marks before and after of each grade cell for which they differ, by grade_id."""
        old, new = (one.marks if one else {} for one in (self.before, self.after))
        return {name: (old.get(name), new.get(name)) for name in {**old, **new} if old.get(name) != new.get(name)}

    @property
    def changed(self) -> bool:
        """Whether there is any difference, be it only in a late penalty."""
        return bool(self.checks) or self.points != 0 or (self.before is None) != (self.after is None)


def standings(course: Course, assignment: str) -> dict[str, Standing]:
    """Returns what stands in a gradebook for an assignment, by student.

    Args:
        course: Whose gradebook; it may be missing.
        assignment: Name of the assignment.
    """
    if not course.gradebook.is_file():
        return {}
    with warnings.catch_warnings(), one_writer(course):
        quiet()
        with Gradebook(f"sqlite:///{course.gradebook.resolve()}") as gradebook:
            try:
                found = gradebook.find_assignment(assignment)
            except MissingEntry:
                return {}
            return {submission.student.id: _standing(submission) for submission in found.submissions}


def compare(before: Mapping[str, Standing], after: Mapping[str, Standing]) -> tuple[Change, ...]:
    """Returns how each student fares, who loses most first.

    Args:
        before: What stood, by student.
        after: What stands, by student.
    """
    changes = (Change(student, before.get(student), after.get(student)) for student in {**before, **after})
    return tuple(sorted(changes, key=lambda change: (change.points, change.student)))


def _standing(submission: SubmittedAssignment) -> Standing:
    penalty = submission.late_submission_penalty or 0.0
    return Standing(
        score=max(0.0, submission.score - penalty),
        max_score=submission.max_score,
        late_penalty=penalty,
        marks={grade.name: _mark(grade) for notebook in submission.notebooks for grade in notebook.grades},
    )


def _mark(grade: Grade) -> Mark:
    waits = grade.manual_score is None and grade.auto_score is None
    return Mark(None if waits else grade.score, grade.manual_score is not None)
