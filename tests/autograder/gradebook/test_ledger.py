"""The ledger tells the batch runner whose marks stand in the gradebook."""

from collections.abc import Callable
from pathlib import Path

from autograder.course.handin import read_submission
from autograder.course.layout import Course
from autograder.evaluate import digest_of
from autograder.gradebook.ledger import NbgraderLedger
from autograder.records import Evaluation

HandIn = Callable[..., Path]


def _evaluation(course: Course, student: str) -> Evaluation:
    from reading import read_instead_of_run

    assignment = course.assignment("doubling")
    submission = read_submission(course.submitted("doubling", student), assignment, student=student)
    evaluation: Evaluation = read_instead_of_run(course, assignment, submission)
    assert evaluation.digest == digest_of(submission, assignment)
    return evaluation


def test_what_was_recorded_is_known(graded_course: Course, hand_in: HandIn) -> None:
    """Once an evaluation is recorded, its digest stands for the student; before, nothing does."""
    release = (graded_course.root / "release/doubling/doubling.ipynb").read_bytes()
    hand_in("ann", **{"doubling.ipynb": release})
    ledger = NbgraderLedger(graded_course)
    assert ledger.recorded("doubling", "ann") is None
    evaluation = _evaluation(graded_course, "ann")
    ledger.record(evaluation)
    assert ledger.recorded("doubling", "ann") == evaluation.digest
    assert ledger.recorded("doubling", "bob") is None


def test_another_time_of_hand_in_is_recorded_again(graded_course: Course, hand_in: HandIn) -> None:
    """The same notebook handed in at another time has marks of its own, since a late penalty may differ."""
    release = (graded_course.root / "release/doubling/doubling.ipynb").read_bytes()
    folder = hand_in("ann", **{"doubling.ipynb": release, "timestamp.txt": "2026-11-01 10:00:00 UTC"})
    ledger = NbgraderLedger(graded_course)
    evaluation = _evaluation(graded_course, "ann")
    ledger.record(evaluation)
    assert ledger.recorded("doubling", "ann") == evaluation.digest
    (folder / "timestamp.txt").write_text("2026-11-09 10:00:00 UTC")
    assert ledger.recorded("doubling", "ann") is None
    ledger.record(evaluation)
    assert ledger.recorded("doubling", "ann") == evaluation.digest
    (folder / "timestamp.txt").write_text("soon")
    assert ledger.recorded("doubling", "ann") == evaluation.digest
