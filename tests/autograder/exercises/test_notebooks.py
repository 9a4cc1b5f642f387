"""Every exercise as a student meets it: the notebook executed from top to bottom by a plain kernel, without a box."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from autograder.course.cells import Role
from autograder.course.layout import Assignment, Course

ROOT = Path(__file__).parents[3]
ASSIGNMENTS = sorted(path.name for path in (ROOT / "source").iterdir())

Shown = dict[str, str]


@pytest.fixture
def execute(tmp_path: Path) -> Callable[[Path], Shown]:
    """Executes a notebook by `jupyter nbconvert --execute`; returns what each grade cell shows as text, by grade_id."""

    def run(notebook: Path) -> Shown:
        folder = tmp_path / "work"
        shutil.copytree(notebook.parent, folder)
        command = ["-m", "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--inplace", notebook.name]
        # no tests folder on the path: a student has the installed package alone
        variables = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHONPATH"))}
        variables["PATH"] = str(Path(sys.executable).parent)  # nor has a student's machine bubblewrap
        subprocess.run([sys.executable, *command], cwd=folder, env=variables, check=True, capture_output=True)
        executed = nbformat.read(folder / notebook.name, as_version=4)
        shown = {}
        for cell in executed.cells:
            outputs = cell.get("outputs", [])
            settings = cell.metadata.get("nbgrader", {})
            if settings.get("grade") and settings.get("locked"):
                texts = [output.data["text/plain"] for output in outputs if "data" in output]
                shown[settings["grade_id"]] = "\n".join(texts)
        return shown

    return run


@pytest.fixture(params=ASSIGNMENTS)
def assignment(request: pytest.FixtureRequest) -> Assignment:
    """Each assignment of the course."""
    return Course(ROOT).assignment(request.param)


def test_a_right_answer_passes_every_public_check(assignment: Assignment, execute: Callable[[Path], Shown]) -> None:
    """The executed solution passes every public check."""
    shown = execute(assignment.source)
    assert list(shown) == [check.grade_id for check in assignment.checks]
    for grade_id, text in shown.items():
        assert text.startswith(f"{grade_id}: all passed."), text


def test_an_unanswered_notebook_says_so_without_a_traceback(
    assignment: Assignment, execute: Callable[[Path], Shown]
) -> None:
    """The executed release passes no check, and each says that it is not answered yet, without a traceback."""
    shown = execute(assignment.release)
    assert list(shown) == [check.grade_id for check in assignment.checks]
    for grade_id, text in shown.items():
        assert "is not answered yet" in text, text
        assert "all passed" not in text, text
        assert "Traceback" not in text, text
        assert text.startswith(grade_id)


def test_every_answer_and_every_check_has_its_cell(assignment: Assignment) -> None:
    """A notebook has locked grade cells that are worth points, and at least one answer cell."""
    assert assignment.answers
    assert all(cell.points > 0 for cell in assignment.cells if cell.role is Role.GRADE)
