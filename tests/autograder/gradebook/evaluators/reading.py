"""An evaluator for tests of nbgrader's side: it looks for a right line in the answer and runs nothing."""

from __future__ import annotations

from autograder.course.intake import intake
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import digest_of, environment
from autograder.records import CheckResult, Evaluation, LimitHit, Outcome, Status, TestResult

RIGHT = {"numerics": ("double", "2 * x"), "tripled": ("triple", "3 * x")}


def read_instead_of_run(course: Course, assignment: Assignment, submission: Submission) -> Evaluation:
    """Passes a check if the right expression stands in its answer; `by hand` in it leaves it to a person."""
    taken = intake(submission, assignment)
    texts = {placed.cell.grade_id: placed.cell.source for placed in taken.cells}
    checks = []
    for check in assignment.checks:
        answer, line = RIGHT[check.grade_id]
        outcome = Outcome.PASSED if line in texts[answer] else Outcome.FAILED
        if not taken.gradable or "by hand" in texts[answer]:
            outcome = Outcome.NOT_GRADABLE
        points = {Outcome.PASSED: check.max_points, Outcome.FAILED: 0.0}.get(outcome)
        message = "" if outcome is Outcome.PASSED else "It gives <b>another</b> number."
        test = TestResult("test_it", "It is right & good.", outcome, 1.0, message, "Look at the factor.", "")
        checks.append(CheckResult(check.grade_id, outcome, points, check.max_points, (test,)))
    return Evaluation(
        assignment=assignment.name,
        student=submission.student,
        status=Status.GRADED if taken.gradable else Status.NOT_GRADABLE,
        reason=taken.reason,
        score=sum(check.points or 0.0 for check in checks),
        max_score=assignment.max_points,
        pending=tuple(check.grade_id for check in checks if check.points is None),
        checks=tuple(checks),
        repairs=taken.repairs,
        limits=(LimitHit("wall", "cell 3", "This cell was stopped."),) if "while True" in texts["double"] else (),
        environment=environment(),
        digest=digest_of(submission, assignment),
    )
