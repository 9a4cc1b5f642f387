"""The same class for stock nbgrader: our exercises, with hidden tests of the same kinds as asserts in the notebook."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import nbformat

from autograder.box.policy import Limits
from autograder.course.golden import load_case, notebook_bytes
from autograder.course.idle import TAG
from benchmarks.measuring import Cost, measure
from benchmarks.sample import HandIn

CHECKS = Path(__file__).parent / "stock_checks"
"""`<assignment>/<grade_id>.py`: the hidden tests of each grade cell."""

_SETTINGS = f"""c = get_config()
c.CourseDirectory.course_id = "stock"
c.ExecutePreprocessor.timeout = {Limits().cell_s:.0f}  # seconds for a cell, as ours gives it
"""


def prepare(
    course: Path, folder: Path, assignments: Sequence[str], class_: Iterable[HandIn], *, bare: bool = False
) -> None:
    """Makes a course for stock nbgrader, released, with everything handed in and nothing graded.

    Args:
        course: Our own course, whose exercises and golden submissions are taken.
        folder: Where to; made anew.
        assignments: Names of the assignments.
        class_: Who hands in what.
        bare: Leave the demonstrations out of the notebooks, which stock nbgrader would run and ours does not.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(_SETTINGS)
    for name in assignments:
        notebook = nbformat.read(course / "source" / name / f"{name}.ipynb", as_version=4)
        if bare:
            notebook.cells = [cell for cell in notebook.cells if TAG not in cell.metadata.get("tags", ())]
        for cell in notebook.cells:
            marked = cell.metadata.get("nbgrader", {})
            if marked.get("grade") and cell.cell_type == "code":
                tests = (CHECKS / name / f"{marked['grade_id']}.py").read_text()
                cell.source = f"### BEGIN HIDDEN TESTS\n{tests}### END HIDDEN TESTS"
        (folder / "source" / name).mkdir(parents=True)
        nbformat.write(notebook, folder / "source" / name / f"{name}.ipynb")
        _nbgrader(folder, "generate_assignment", name)
    for one in class_:
        place = folder / "submitted" / one.student / one.assignment
        place.mkdir(parents=True)
        case = load_case(course / "tests" / one.assignment / "submissions" / one.case)
        released = folder / "release" / one.assignment / f"{one.assignment}.ipynb"
        (place / f"{one.assignment}.ipynb").write_bytes(notebook_bytes(case, released))
    shutil.copy(folder / "gradebook.db", folder / "gradebook.fresh")


def grade(folder: Path, assignments: Sequence[str]) -> Cost:
    """Grades everything that was handed in from the beginning, by `nbgrader autograde`, and returns what it took."""
    shutil.rmtree(folder / "autograded", ignore_errors=True)
    shutil.copy(folder / "gradebook.fresh", folder / "gradebook.db")
    costs = [
        # 1: a student of whom nbgrader gets no result, since a loop never ends
        measure([*_COMMAND, "autograde", name], folder, variables=_VARIABLES, allowed=(0, 1))
        for name in assignments
    ]
    return Cost(
        sum(cost.wall_s for cost in costs),
        sum(cost.cpu_s for cost in costs),
        max(cost.peak_mb for cost in costs),
        costs[0].counted_by,
    )


def graded(folder: Path) -> int:
    """Returns how many submissions it graded the last time."""
    return len(list((folder / "autograded").glob("*/*/*.ipynb")))


_BIN = Path(sys.executable).parent
_COMMAND = (str(_BIN / "nbgrader"),)
_VARIABLES = {"PATH": os.pathsep.join([str(_BIN), os.environ.get("PATH", os.defpath)])}
"""As in an activated environment: nbgrader starts `alembic` and the kernel's `python` by their bare names."""


def _nbgrader(folder: Path, *argv: str) -> None:
    subprocess.run([*_COMMAND, *argv], cwd=folder, check=True, capture_output=True, env={**os.environ, **_VARIABLES})
