"""The class for our own grader: the course as it is, graded by `autograder grade`, marks in the gradebook included."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.course.golden import load_case, notebook_bytes
from benchmarks.measuring import Cost, measure
from benchmarks.sample import HandIn

_COMMAND = (str(Path(sys.executable).parent / "autograder"),)
_WAITS_FOR_A_PERSON = 3


def prepare(course: Path, folder: Path, assignments: Sequence[str], class_: Iterable[HandIn]) -> None:
    """Makes a course folder, released, with everything handed in and nothing graded; as `stock.prepare`."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in assignments:
        for part in ("source", "release", "tests"):
            shutil.copytree(course / part / name, folder / part / name)
    shutil.copy(course / "nbgrader_config.py", folder)
    subprocess.run([*_COMMAND, "release"], cwd=folder, check=True, capture_output=True)
    for one in class_:
        place = folder / "submitted" / one.student / one.assignment
        place.mkdir(parents=True)
        case = load_case(course / "tests" / one.assignment / "submissions" / one.case)
        released = folder / "release" / one.assignment / f"{one.assignment}.ipynb"
        (place / f"{one.assignment}.ipynb").write_bytes(notebook_bytes(case, released))
    shutil.copy(folder / "gradebook.db", folder / "gradebook.fresh")


def grade(folder: Path, *, workers: int) -> Cost:
    """Grades everything that was handed in from the beginning, by `autograder grade`, and returns what it took."""
    for made in ("autograded", ".autograder"):
        shutil.rmtree(folder / made, ignore_errors=True)
    shutil.copy(folder / "gradebook.fresh", folder / "gradebook.db")
    argv = [*_COMMAND, "grade", "--workers", str(workers)]
    return measure(argv, folder, variables={}, allowed=(0, _WAITS_FOR_A_PERSON))
