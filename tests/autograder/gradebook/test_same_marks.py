"""Our command, nbgrader's and formgrader's button give a real exercise the same marks, from real boxes."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from autograder.course.files import regular_files
from autograder.course.layout import Course
from autograder.gradebook.configure import quiet
from autograder.gradebook.convert import course_config
from autograder.gradebook.feedback import feedback
from autograder.gradebook.release import release
from autograder.gradebook.scores import scores

SECRET = "hidden-9c1f4e"
"""Planted in every hidden file."""

REPOSITORY = Path(__file__).parents[3]
ASSIGNMENTS = sorted(path.stem for path in REPOSITORY.glob("source/*/*.ipynb"))
TWO = ["newton_sqrt", "recompile_table"]
"""Assignments that show whether another way grades at all; `test_every_way` has all of them."""


@pytest.fixture
def real_course(tmp_path: Path, names: list[str]) -> Course:
    """A real course, to which the solution and the untouched release of each assignment were handed in."""
    course = Course(tmp_path)
    shutil.copy(REPOSITORY / "nbgrader_config.py", tmp_path)
    for name in names:
        shutil.copytree(REPOSITORY / "source" / name, tmp_path / "source" / name)
        ignore = shutil.ignore_patterns("submissions", "__pycache__")
        shutil.copytree(REPOSITORY / "tests" / name, tmp_path / "tests" / name, ignore=ignore)
        for hidden in (tmp_path / "tests" / name).glob("*.py"):
            hidden.write_text(
                f"{hidden.read_text(encoding='utf-8')}\n# {SECRET}\nTOKEN = {SECRET!r}\n", encoding="utf-8"
            )
        released = release(course, name)
        for student, notebook in {"solution": released.source, "release": released.release}.items():
            course.submitted(name, student).mkdir(parents=True)
            shutil.copy(notebook, course.submitted(name, student))
    return course


def with_our_command(course: Course) -> None:
    """Grades everything with `autograder grade`."""
    _run(course, "autograder", "grade")


def with_nbgrader(course: Course) -> None:
    """Grades everything with `nbgrader autograde`."""
    for name in course.assignment_names():
        _run(course, "nbgrader", "autograde", name)


def with_button(course: Course) -> None:
    """Grades everything as formgrader's button does, inside a running event loop."""
    with warnings.catch_warnings():
        quiet()
        config = course_config(course)
        config.Exchange.root = str(course.root / "exchange")
        api = NbGraderAPI(CourseDirectory(config=config), config=config)

        async def press(name: str, student: str) -> dict[str, object]:
            return api.autograde(name, student)

        for name in course.assignment_names():
            for student in ("solution", "release"):
                result = asyncio.run(press(name, student))
                assert result["success"], result


@pytest.mark.box
@pytest.mark.parametrize(
    ("grade", "names"),
    [(with_our_command, ASSIGNMENTS), (with_nbgrader, TWO), (with_button, TWO)],
    ids=["with_our_command", "with_nbgrader", "with_button"],
)
def test_solution_full_release_zero(real_course: Course, grade: Callable[[Course], None], names: list[str]) -> None:
    """The solution of every assignment gets full marks, its release none, and no hidden file shows."""
    grade(real_course)
    found = {(score.assignment, score.student): score.score for score in scores(real_course)}
    assert found == {
        (name, student): points
        for name in names
        for student, points in (("solution", real_course.assignment(name).max_points), ("release", 0.0))
    }
    assert all(not score.needs_person for score in scores(real_course))
    assert len(feedback(real_course)) == len(found)
    for folder in ("release", "autograded", "feedback"):
        for _, path in regular_files(real_course.root / folder):
            assert SECRET not in path.read_text(encoding="utf-8")


def _run(course: Course, *command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=course.root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
