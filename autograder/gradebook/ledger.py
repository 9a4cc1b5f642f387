"""nbgrader's gradebook, as the batch runner sees it: what is recorded, and how to record."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from nbgrader.api import Gradebook
from nbgrader.utils import parse_utc

from autograder.course.files import read_bounded
from autograder.course.layout import Course
from autograder.gradebook.autograde import MAX_TIMESTAMP
from autograder.gradebook.configure import quiet
from autograder.gradebook.record import record
from autograder.gradebook.recorded import recorded_digest
from autograder.records import Evaluation


@dataclass(frozen=True, slots=True)
class NbgraderLedger:
    """The gradebook of a course.

    Attributes:
        course: Whose.
    """

    course: Course

    def recorded(self, assignment: str, student: str) -> str | None:
        """Returns the digest of the evaluation whose marks stand there; `None` if none do, or none for this hand-in.

        Args:
            assignment: Name of the assignment.
            student: nbgrader's student id.
        """
        if not self.course.gradebook.is_file():
            return None
        folder = self.course.root / "autograded" / student / assignment
        with warnings.catch_warnings():
            quiet()
            digest = recorded_digest(folder, assignment, student=student, db_url=self._db_url)
            return digest if digest and self._same_time(assignment, student) else None

    def record(self, evaluation: Evaluation) -> None:
        """Records the marks of an evaluation.

        Args:
            evaluation: Whose marks.
        """
        record(self.course, evaluation)

    @property
    def _db_url(self) -> str:
        return f"sqlite:///{self.course.gradebook.resolve()}"

    def _same_time(self, assignment: str, student: str) -> bool:
        """Whether the time of hand-in is the one that a late penalty was worked out from."""
        path = self.course.submitted(assignment, student) / "timestamp.txt"
        try:
            timestamp = parse_utc(read_bounded(path, MAX_TIMESTAMP).decode().strip())
        except (OSError, ValueError, OverflowError):
            return True  # there is none, or none that can be read: recording again would change nothing
        with Gradebook(self._db_url) as gradebook:
            return bool(gradebook.find_submission(assignment, student).timestamp == timestamp)
