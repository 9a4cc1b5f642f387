"""nbgrader's gradebook, as the batch runner sees it: what is recorded, and how to record."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from autograder.course.layout import Course
from autograder.gradebook.configure import quiet
from autograder.gradebook.record import record
from autograder.gradebook.recorded import noted_digest, recorded_digest
from autograder.gradebook.sharing import one_writer
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
        with warnings.catch_warnings(), one_writer(self.course):  # another grader may just be making the database
            quiet()
            return recorded_digest(
                self.course.root / "autograded" / student / assignment,
                self.course.submitted(assignment, student),
                assignment=assignment,
                student=student,
                db_url=f"sqlite:///{self.course.gradebook.resolve()}",
            )

    def last(self, assignment: str, student: str) -> str | None:
        """Returns the digest of the evaluation that was recorded last; `None` if there is none.

        Args:
            assignment: Name of the assignment.
            student: nbgrader's student id.
        """
        return noted_digest(self.course.root / "autograded" / student / assignment, assignment=assignment)

    def record(self, evaluation: Evaluation) -> None:
        """Records the marks of an evaluation.

        Args:
            evaluation: Whose marks.
        """
        record(self.course, evaluation)
