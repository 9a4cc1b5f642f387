"""A course with a real gradebook, and evaluations that are made by reading the submission instead of running it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from autograder.course.layout import Course
from autograder.gradebook.release import release

CONFIG = """
import sys
from pathlib import Path
sys.path.insert(0, {here!r})
from autograder.gradebook.configure import configure
from reading import read_instead_of_run
c = get_config()
configure(c, Path(__file__).resolve().parent)
c.EvaluatedAutograde.evaluator = read_instead_of_run
"""


@pytest.fixture(scope="session")
def released_course(written_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny course, released, with nbgrader's settings and an evaluator that runs nothing; to be copied."""
    root = tmp_path_factory.mktemp("released") / "course"
    shutil.copytree(written_course, root)
    here = Path(__file__).parent / "evaluators"
    (root / "nbgrader_config.py").write_text(CONFIG.format(here=str(here)), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", list(sys.path))
        release(Course(root), "doubling")
    return root


@pytest.fixture
def graded_course(released_course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    """The released course in a folder of its own, with its gradebook."""
    shutil.copytree(released_course, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return Course(tmp_path)
