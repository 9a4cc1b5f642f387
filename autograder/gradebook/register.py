"""Makes an assignment known to nbgrader's database from its release, where `release` did not do so here."""

from __future__ import annotations

import nbformat
from nbgrader.api import Gradebook, MissingEntry, Notebook
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
    except MissingEntry:
        gradebook.update_or_create_assignment(assignment.name)
        _save_cells(assignment, db_url)
        return
    differing = [cells ^ known for cells, known in zip(_released(assignment), _known(notebook), strict=True)]
    if not any(differing):
        return
    try:
        _save_cells(assignment, db_url)
    except RuntimeError as error:  # of nbgrader, where there are submissions
        name, names = assignment.name, ", ".join(sorted(set().union(*differing)))
        message = f"{name} was recorded for some students with other cells than are released now: {names}."
        remedy = (
            f"Bring back the release of before, or release under another name. To give up what was recorded, manual "
            f"marks and comments too: copy gradebook.db, then nbgrader db assignment remove {name} --force"
        )
        raise CourseFault(message, remedy=remedy) from error


def _released(assignment: Assignment) -> tuple[set[str], ...]:
    """Returns the grade_ids of the released cells that nbgrader keeps by their kind: with points, an answer, a task."""
    marked = [cell.raw["metadata"]["nbgrader"] for cell in assignment.cells if cell.grade_id]
    return tuple({one["grade_id"] for one in marked if one.get(kind)} for kind in ("grade", "solution", "task"))


def _known(notebook: Notebook) -> tuple[set[str], ...]:
    """Returns the same from the gradebook."""
    kinds = (notebook.grade_cells, notebook.solution_cells, notebook.task_cells)
    return tuple({cell.name for cell in cells} for cells in kinds)


def _save_cells(assignment: Assignment, db_url: str) -> None:
    place = {"notebook": assignment.name, "assignment": assignment.name, "db_url": db_url}
    SaveCells().preprocess(nbformat.read(assignment.release, as_version=4), {"nbgrader": place})
