"""nbgrader's gradebook, as the batch runner sees it: what is recorded, and how to record."""

from __future__ import annotations

import json
from dataclasses import dataclass

from autograder.course.layout import Course
from autograder.gradebook.record import record
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
        notebook = self.course.root / "autograded" / student / assignment / f"{assignment}.ipynb"
        try:
            digest = json.loads(notebook.read_bytes())["metadata"]["autograder"]["digest"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return digest if isinstance(digest, str) else None

    def record(self, evaluation: Evaluation) -> None:
        """Records the marks of an evaluation; changes nothing where they stand already.

        Args:
            evaluation: Whose marks.
        """
        record(self.course, evaluation)
