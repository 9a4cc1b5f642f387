"""nbgrader's own commands record our evaluations, whatever was handed in."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from autograder.course.layout import Course
from autograder.gradebook.scores import Score, scores


def nbgrader(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the plain command in the course folder."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=course.root, capture_output=True, text=True, check=False)


def right(course: Course) -> str:
    """Returns a right submission: the release with both answers."""
    text = (course.root / "release/doubling/doubling.ipynb").read_text()
    document = json.loads(text)
    document["cells"][2]["source"] = "def double(x):\n    return 2 * x\n"
    document["cells"][4]["source"] = "def triple(x):\n    return 3 * x\n"
    return json.dumps(document)


def by_student(course: Course) -> dict[str, Score]:
    """Returns the scores of `doubling`."""
    return {score.student: score for score in scores(course)}


def test_plain_autograde(graded_course: Course, hand_in: Callable[..., Path]) -> None:
    """Plain `nbgrader autograde` grades right, empty, renamed and broken submissions, and loses nobody."""
    hand_in("right", **{"doubling.ipynb": right(graded_course)})
    hand_in("empty", **{"doubling.ipynb": (graded_course.root / "release/doubling/doubling.ipynb").read_bytes()})
    hand_in("renamed", **{"my work (1).ipynb": right(graded_course)})
    hand_in("broken", **{"doubling.ipynb": b"\x00\xff no notebook"})
    hand_in("Zoë [1] O'Hara+李", **{"doubling.ipynb": right(graded_course)})
    hand_in("nothing")
    run = nbgrader(graded_course, "autograde", "doubling")
    assert run.returncode == 0, run.stderr
    found = {
        student: (score.score, score.max_score, score.needs_person)
        for student, score in by_student(graded_course).items()
    }
    assert found == {
        "right": (5.0, 5.0, False),
        "empty": (0.0, 5.0, False),
        "renamed": (5.0, 5.0, False),
        "broken": (0.0, 5.0, True),
        "Zoë [1] O'Hara+李": (5.0, 5.0, False),
        "nothing": (0.0, 5.0, True),
    }
