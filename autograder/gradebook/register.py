"""Makes an assignment known to nbgrader's database from its release, where `release` did not do so here."""

from __future__ import annotations

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import SaveCells

from autograder.course.layout import Assignment
from autograder.faults import CourseFault


def register(gradebook: Gradebook, assignment: Assignment, *, db_url: str) -> None:
    """Adds the assignment with its cells, unless it is there as it was released last.

    A course's `release/` is kept with it, its database is not: a fresh clone can grade at once.

    Args:
        gradebook: An open gradebook.
        assignment: What to add.
        db_url: Where the gradebook lies; a part of nbgrader opens it by itself.

    Raises:
        CourseFault: It has a check that the gradebook does not know, and cannot learn beside recorded submissions.
    """
    try:
        notebook = gradebook.find_notebook(assignment.name, assignment.name)
        unknown = {check.grade_id for check in assignment.checks} - {cell.name for cell in notebook.grade_cells}
    except MissingEntry:
        gradebook.update_or_create_assignment(assignment.name)
        _save_cells(assignment, db_url)
        return
    if not unknown:
        return
    try:
        _save_cells(assignment, db_url)
    except RuntimeError as error:  # of nbgrader, where there are submissions
        names = ", ".join(sorted(unknown))
        name = assignment.name
        message = f"{name} was released with other cells before: the gradebook, with marks of it, has no {names}."
        remedy = f"Release it under another name, or remove those marks: nbgrader db assignment remove {name}"
        raise CourseFault(message, remedy=remedy) from error


def _save_cells(assignment: Assignment, db_url: str) -> None:
    place = {"notebook": assignment.name, "assignment": assignment.name, "db_url": db_url}
    SaveCells().preprocess(nbformat.read(assignment.release, as_version=4), {"nbgrader": place})
