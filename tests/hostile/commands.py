"""Runs the real commands in a course folder, and reads what they leave there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from autograder.course.files import regular_files
from autograder.course.layout import Course
from autograder.gradebook.scores import scores
from autograder.records import Evaluation
from autograder.store import Store


def start(course: Course, *command: str, **variables: str) -> subprocess.Popen[str]:
    """Starts `python -m` with a command in the course folder, its output joined."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=course.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PATH": path, **variables},
    )


def run(course: Course, *command: str, ending: Collection[int] = (0,), **variables: str) -> str:
    """Runs a command to its end and returns what it printed."""
    process = start(course, *command, **variables)
    printed, _ = process.communicate()
    assert process.returncode in ending, f"{process.returncode}\n{printed[-6000:]}"
    return printed


def stored(course: Course) -> dict[str, Evaluation]:
    """Reads every evaluation of the store, by student."""
    found = {}
    for path in course.store.glob("*.json"):
        if not path.name.endswith(".usage.json"):
            evaluation = Store(course.store).load(json.loads(path.read_text())["digest"])
            assert evaluation is not None
            found[evaluation.student] = evaluation
    return found


def results(course: Course) -> dict[str, object]:
    """Returns all that is a result and not a time: bytes of evaluations and autograded notebooks, and the marks."""
    found: dict[str, object] = {}
    for place in (course.store, course.root / "autograded"):
        for name, path in regular_files(place):
            if name.endswith((".json", ".ipynb")) and not name.endswith(".usage.json"):
                found[name] = path.read_bytes()
    for score in scores(course):
        found[f"mark of {score.student}"] = (score.score, score.max_score, score.needs_person)
    return found
