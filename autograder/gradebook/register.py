"""Makes an assignment known to nbgrader's database from its release, where `release` did not do so here."""

from __future__ import annotations

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import SaveCells

from autograder.course.layout import Assignment


def register(gradebook: Gradebook, assignment: Assignment, *, db_url: str) -> None:
    """Adds the assignment with its cells, unless it is there.

    A course's `release/` is kept with it, its database is not: a fresh clone can grade at once.

    Args:
        gradebook: An open gradebook.
        assignment: What to add.
        db_url: Where the gradebook lies; a part of nbgrader opens it by itself.
    """
    try:
        gradebook.find_notebook(assignment.name, assignment.name)
    except MissingEntry:
        gradebook.update_or_create_assignment(assignment.name)
        place = {"notebook": assignment.name, "assignment": assignment.name, "db_url": db_url}
        SaveCells().preprocess(nbformat.read(assignment.release, as_version=4), {"nbgrader": place})
