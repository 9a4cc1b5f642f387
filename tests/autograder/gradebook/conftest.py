"""A course with a real gradebook, and evaluations that are made by reading the submission instead of running it."""

from __future__ import annotations

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


@pytest.fixture
def graded_course(course: Course, monkeypatch: pytest.MonkeyPatch) -> Course:
    """The tiny course, released, with nbgrader's settings and an evaluator that runs nothing."""
    here = Path(__file__).parent / "evaluators"
    (course.root / "nbgrader_config.py").write_text(CONFIG.format(here=str(here)), encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    release(course, "doubling")
    return course
