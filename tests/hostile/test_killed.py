"""A grader that is killed at any moment loses nothing, and equal work gives equal bytes, in any order."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course.layout import Course
from autograder.store import Store
from tests.hostile.commands import results, run, start, stored
from tests.hostile.course import CHEATED, RIGHT, as_bytes, hand_in, make_course, notebook

CHECKS = ("calls",)
STUDENTS = {
    "ann": as_bytes(notebook(RIGHT, checks=CHECKS)),
    "bob": as_bytes(notebook(CHEATED, checks=CHECKS)),
    "cyd": b"no notebook",
    "eve": as_bytes(notebook(RIGHT, end=["import os\nos._exit(1)\n"], checks=CHECKS)),
}


def make(root: Path) -> Course:
    """Writes a course in which everyone has handed in."""
    course = make_course(root, checks=CHECKS)
    for student, data in STUDENTS.items():
        hand_in(course, student, data)
    return course


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What comes of the course when nobody disturbs the grader."""
    course = make(tmp_path_factory.mktemp("undisturbed"))
    run(course, "autograder", "grade", "--workers", "2", ending=(0, 3))
    found = results(course)
    assert len([name for name in found if name.startswith("mark of")]) == len(STUDENTS)
    return found


MOMENTS: dict[str, Callable[[Course, Path], bool]] = {
    "while the first box runs": lambda course, temporary: any(temporary.glob("autograder-box-*")),
    "as a file of the store is being written": lambda course, temporary: any(course.store.glob("*")),
    "as the first evaluation is in the store": lambda course, temporary: bool(stored(course)),
    "as the gradebook is first written": lambda course, temporary: any(course.root.glob("gradebook.db*")),
    "as the first autograded folder appears": lambda course, temporary: any(course.root.glob("autograded/*/*")),
    "as the second autograded notebook appears": lambda course, temporary: (
        len(list(course.root.glob("autograded/*/*/*.ipynb"))) > 1
    ),
}


@pytest.mark.box
@pytest.mark.hostile
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_grader_loses_nothing(
    moment: str,
    undisturbed: dict[str, object],
    tmp_path: Path,
    temporary: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """After SIGKILL no half result is read, no process stays, and the next run gives the undisturbed bytes."""
    course = make(tmp_path)
    grader = start(course, "autograder", "grade", "--workers", "2", TMPDIR=str(temporary))
    while not MOMENTS[moment](course, temporary):
        assert grader.poll() is None, "it ended before that moment"
        time.sleep(0.005)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    grader.stdout.close() if grader.stdout else None

    whole = {name: data for name, data in undisturbed.items() if name.endswith(".json")}
    for path in course.store.glob("*.json"):
        assert path.name.endswith(".usage.json") or path.read_bytes() == whole[path.name]
        assert path.name.endswith(".usage.json") or Store(course.store).load(path.stem) is not None
    assert _gone(str(temporary)), "processes stayed"
    run(course, "autograder", "grade", ending=(0, 3), TMPDIR=str(temporary))

    assert results(course) == undisturbed
    record_property(f"killed {moment}", "nothing lost, the same bytes after the next run")


@pytest.mark.box
@pytest.mark.hostile
def test_order_and_company_decide_nothing(
    undisturbed: dict[str, object], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """One by one in the opposite order, and again from nothing, each submission gets the same bytes."""
    course = make(tmp_path)

    for student in reversed(STUDENTS):
        run(course, "autograder", "grade", "--workers", "1", "--student", student, ending=(0, 3))
    assert results(course) == undisturbed
    printed = run(course, "autograder", "grade", ending=(0, 3))

    assert results(course) == undisturbed
    assert "up to date" in printed
    record_property("regraded in another order", "the same bytes")


def _gone(word: str, *, patience_s: float = 60.0) -> bool:
    """Waits until no process has a word in its environment."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if not any(_has(path, word) for path in Path("/proc").glob("[0-9]*/environ")):
            return True
        time.sleep(0.2)
    return False


def _has(path: Path, word: str) -> bool:
    try:
        return word.encode() in path.read_bytes()
    except OSError:
        return False
