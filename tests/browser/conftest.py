"""A copy of the real course with submissions, a Jupyter server on it, and a browser that looks at it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course.golden import load_case, notebook_bytes
from autograder.course.layout import Course
from tests.browser.browsing import Browser, chromium
from tests.browser.serving import lab

REPOSITORY = Path(__file__).parents[2]
ASSIGNMENT = "newton_sqrt"
HANDED_IN = {
    "ann": ("wrong_tol_static", "newton_sqrt.ipynb"),
    "bob": ("broken_exits", "newton_sqrt (1).ipynb"),
}
"""The golden submission that each student handed in, and its file's name."""


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A copy of the real course in which nothing was graded yet."""
    root = tmp_path_factory.mktemp("class") / "course"
    for part in ("source", "release", "tests"):
        ignored = shutil.ignore_patterns("submissions", "__pycache__", ".ipynb_checkpoints")
        shutil.copytree(REPOSITORY / part / ASSIGNMENT, root / part / ASSIGNMENT, ignore=ignored)
    shutil.copy(REPOSITORY / "nbgrader_config.py", root)
    course = Course(root)
    for student, (case, filename) in HANDED_IN.items():
        folder = course.submitted(ASSIGNMENT, student)
        folder.mkdir(parents=True)
        golden = load_case(REPOSITORY / "tests" / ASSIGNMENT / "submissions" / case)
        raw = notebook_bytes(golden, course.assignment(ASSIGNMENT).release)
        (folder / filename).write_bytes(raw)
    return course


@pytest.fixture(scope="session")
def browser(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that has opened the course's Jupyter server with its token."""
    token = secrets.token_hex(16)
    with (
        lab(course.root, tmp_path_factory.mktemp("jupyter"), token=token) as address,
        chromium(tmp_path_factory.mktemp("profile")) as driver,
    ):
        browser = Browser(driver, address)
        browser.open(f"/formgrader?token={token}")
        yield browser
