"""Feedback pages, by nbgrader's own converter, from the notebooks that hold our reports."""

from __future__ import annotations

import os
from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException
from traitlets import List

from autograder.course.layout import Course
from autograder.gradebook.convert import run_converter
from autograder.gradebook.names import matching
from autograder.gradebook.waiting import GetMarks


class FeedbackPages(GenerateFeedback):
    """nbgrader's own, but for students whose names hold brackets or stars, and for what has no points yet."""

    preprocessors = List([GetMarks, CSSHTMLHeaderPreprocessor]).tag(config=True)

    def init_notebooks(self) -> None:
        """Lists the autograded notebooks of an assignment."""
        name, wanted = self.coursedir.assignment_id, self.coursedir.student_id
        students = matching(graded_students(Course(Path(self.coursedir.root)), name), wanted)
        if not students:
            message = f"No autograded notebooks of {name!r} for {wanted!r}."
            self.log.error(message)
            raise NbGraderException(message)
        folders = [self._format_source(name, student) for student in students]
        self.assignments = {folder: [os.path.join(folder, f"{name}.ipynb")] for folder in folders}
        self.notebooks: list[str] = []


def graded_students(course: Course, assignment: str) -> list[str]:
    """Returns the ids of students with an autograded notebook, sorted."""
    notebooks = (course.root / "autograded").glob("*/*/*.ipynb")
    return sorted(path.parts[-3] for path in notebooks if path.parts[-2] == path.stem == assignment)


def feedback(course: Course, assignment: str | None = None, student: str | None = None) -> tuple[Path, ...]:
    """Writes feedback pages to `feedback/<student>/<assignment>/`.

    Args:
        course: The course.
        assignment: Name of an assignment; without it, every one.
        student: Id of a student; without it, everyone who was graded.

    Returns:
        The pages.

    Raises:
        CourseFault: nbgrader cannot write one of them.
    """
    pages = []
    for name in course.assignment_names() if assignment is None else (assignment,):
        students = [one for one in graded_students(course, name) if student in (None, one)]
        if not students:
            continue
        run_converter(FeedbackPages, course, assignment=name, student=student or "*")
        pages += [course.root / "feedback" / one / name / f"{name}.html" for one in students]
    return tuple(pages)
