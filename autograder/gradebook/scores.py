"""The table of scores, read from nbgrader's database."""

from __future__ import annotations

from dataclasses import dataclass

from nbgrader.api import Gradebook

from autograder.course.layout import Course


@dataclass(frozen=True, slots=True)
class Score:
    """What one student has for one assignment, all that people decided included.

    Attributes:
        student: nbgrader's student id.
        assignment: Name of the assignment.
        score: Points after the late penalty.
        max_score: Points that could be had.
        late_penalty: Points taken off for lateness.
        needs_person: Whether a person still has to grade a part of it.
    """

    student: str
    assignment: str
    score: float
    max_score: float
    late_penalty: float
    needs_person: bool


def scores(course: Course) -> tuple[Score, ...]:
    """Returns all scores, by student and assignment; none where nothing was recorded yet.

    Args:
        course: The course.
    """
    if not course.gradebook.is_file():
        return ()
    with Gradebook(f"sqlite:///{course.gradebook.resolve()}") as gradebook:
        found = [
            Score(
                student=submission.student.id,
                assignment=assignment.name,
                score=max(0.0, submission.score - (submission.late_submission_penalty or 0.0)),
                max_score=submission.max_score,
                late_penalty=submission.late_submission_penalty or 0.0,
                needs_person=submission.needs_manual_grade,
            )
            for assignment in gradebook.assignments
            for submission in assignment.submissions
        ]
    return tuple(sorted(found, key=lambda score: (score.student, score.assignment)))
