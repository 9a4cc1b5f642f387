"""nbgrader's own commands, and formgrader's way to them, record our evaluations, whatever was handed in."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course.layout import Course
from autograder.gradebook.configure import quiet
from autograder.gradebook.convert import course_config
from autograder.gradebook.feedback import feedback
from autograder.gradebook.scores import scores

HandIn = Callable[..., Path]

OTHER_NAME = "Zoë [1] O'Hara+李"
"""A student's id with what nbgrader takes for patterns, and with quotes and accents."""


def nbgrader(course: Course, *arguments: str) -> None:
    """Runs the plain command in the course folder."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    run = subprocess.run(command, cwd=course.root, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.fixture
def right(graded_course: Course) -> str:
    """A right submission: the release with both answers."""
    document = json.loads((graded_course.root / "release/doubling/doubling.ipynb").read_text())
    document["cells"][2]["source"] = "def double(x):\n    return 2 * x\n"
    document["cells"][4]["source"] = "def triple(x):\n    return 3 * x\n"
    return json.dumps(document)


def test_plain_commands(graded_course: Course, hand_in: HandIn, right: str) -> None:
    """The plain commands grade right, empty, renamed and broken submissions, lose nobody, and give feedback on each."""
    release = (graded_course.root / "release/doubling/doubling.ipynb").read_bytes()
    nbgrader(graded_course, "generate_assignment", "doubling", "--force")
    assert (graded_course.root / "release/doubling/doubling.ipynb").read_bytes() == release
    hand_in("right", **{"doubling.ipynb": right})
    hand_in("empty", **{"doubling.ipynb": release})
    hand_in("renamed", **{"my work (1).ipynb": right})
    hand_in("broken", **{"doubling.ipynb": b"\x00\xff no notebook"})
    hand_in("nothing")
    hand_in(OTHER_NAME, **{"doubling.ipynb": right})
    nbgrader(graded_course, "autograde", "doubling")
    found = {score.student: (score.score, score.max_score, score.needs_person) for score in scores(graded_course)}
    assert found == {
        "right": (5.0, 5.0, False),
        "empty": (0.0, 5.0, False),
        "renamed": (5.0, 5.0, False),
        "broken": (0.0, 5.0, True),
        "nothing": (0.0, 5.0, True),
        OTHER_NAME: (5.0, 5.0, False),
    }
    nbgrader(graded_course, "generate_feedback", "doubling")
    assert len(list(graded_course.root.glob("feedback/*/doubling/doubling.html"))) == 6
    nbgrader(graded_course, "export")
    assert (graded_course.root / "grades.csv").read_text().count("doubling") == 6


def test_feedback(graded_course: Course, hand_in: HandIn, right: str) -> None:
    """A page says what was checked, how it ended and what was repaired, also for a name that looks like a pattern."""
    wrong = right.replace("3 * x", "4 * x")
    hand_in(OTHER_NAME, **{"renamed.ipynb": wrong})
    grade_with_button(graded_course, OTHER_NAME)
    (page,) = feedback(graded_course, "doubling", OTHER_NAME)
    text = page.read_text(encoding="utf-8")
    assert "2 of 5 points by the automatic checks" in text
    assert "It gives &lt;b&gt;another&lt;/b&gt; number." in text
    assert "renamed.ipynb was graded as doubling.ipynb." in text
    assert "Score: 2.0 / 5.0" in text


def test_feedback_on_what_waits(graded_course: Course, hand_in: HandIn, right: str) -> None:
    """What has no points yet has no number on a page, at its own place and, if nothing has points, in the heading."""
    hand_in("broken", **{"doubling.ipynb": b"no notebook"})
    hand_in("half", **{"doubling.ipynb": right.replace("3 * x", "x  # by hand")})
    for student in ("broken", "half"):
        grade_with_button(graded_course, student)
    broken, half = (page.read_text(encoding="utf-8") for page in feedback(graded_course, "doubling"))
    assert "(Score: - / 5.0)" in broken
    assert "no points yet (of 5)" in broken
    assert "Score: 0.0" not in broken
    assert "(Score: 2.0 / 5.0)" in half
    assert "(Score: 2.0 / 2.0)" in half
    assert "(Score: - / 3.0)" in half


def test_button(graded_course: Course, hand_in: HandIn, right: str) -> None:
    """Formgrader's button, inside a running event loop, records the same marks."""
    hand_in("ann", **{"doubling.ipynb": right})
    grade_with_button(graded_course, "ann")
    assert [(score.student, score.score) for score in scores(graded_course)] == [("ann", 5.0)]


def grade_with_button(course: Course, student: str) -> None:
    """Does what formgrader does when its button is pressed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        quiet()
        config = course_config(course)
        from nbgrader.apps.api import NbGraderAPI
        from nbgrader.coursedir import CourseDirectory

        config.Exchange.root = str(course.root / "exchange")
        api = NbGraderAPI(CourseDirectory(config=config), config=config)

        async def press() -> dict[str, object]:
            return api.autograde("doubling", student)

        result = asyncio.run(press())
    assert result["success"], result
