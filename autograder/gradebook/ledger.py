"""nbgrader's gradebook, as the batch runner sees it: what is recorded, and how to record."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.course.layout import Course
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
        """Returns the digest of the evaluation whose marks were recorded last; `None` if there are none.

        Args:
            assignment: Name of the assignment.
            student: nbgrader's student id.
        """
        if not self.course.gradebook.is_file():
            return None
        folder = self.course.root / "autograded" / student / assignment
        db_url = f"sqlite:///{self.course.gradebook.resolve()}"
        return recorded_digest(folder, assignment, student=student, db_url=db_url)

    def record(self, evaluation: Evaluation) -> None:
        """Records the marks of an evaluation; manual scores and comments stay.

        Args:
            evaluation: Whose marks.
        """
        record(self.course, evaluation)
