"""Records one evaluation in nbgrader: its database and the autograded notebook."""

from __future__ import annotations

from autograder.course.layout import Course
from autograder.gradebook.autograde import EvaluatedAutograde
from autograder.gradebook.convert import run_converter
from autograder.records import Evaluation


def record(course: Course, evaluation: Evaluation) -> None:
    """Records the evaluation of what a student handed in under `submitted/`, as `nbgrader autograde` would.

    Manual scores and comments stay; a late penalty is worked out anew.

    Args:
        course: The course.
        evaluation: What to record; it names the assignment and the student.

    Raises:
        CourseFault: nbgrader refuses it.
    """
    run_converter(
        EvaluatedAutograde,
        course,
        assignment=evaluation.assignment,
        student=evaluation.student,
        sandbox=evaluation.environment.sandbox,
        evaluator=lambda course, assignment, submission: evaluation,
    )
