"""Whoever grades a submission, by whichever way, comes to the same evaluation, byte for byte."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from autograder.course.golden import load_cases, notebook_bytes
from autograder.course.layout import Course
from autograder.gradebook.scores import scores

pytestmark = [pytest.mark.box, pytest.mark.hostile]

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = sorted(path.name for path in (ROOT / "source").iterdir())
SPARSE = 8
"""Every eighth golden submission is handed in."""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course in which golden submissions of every assignment were handed in, each by a student of its name."""
    course = Course(tmp_path / "course")
    course.root.mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", course.root)
    cases = [(name, case) for name in ASSIGNMENTS for case in load_cases(ROOT / "tests" / name / "submissions")]
    for name in ASSIGNMENTS:
        for place in ("source", "release", "tests"):
            leave = shutil.ignore_patterns("submissions", "__pycache__")
            shutil.copytree(ROOT / place / name, course.root / place / name, ignore=leave)
    for name, case in cases[::SPARSE]:
        folder = course.submitted(name, case.name)
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_bytes(notebook_bytes(case, course.assignment(name).release))
    return course


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """Address of a Dask scheduler with two workers, each a process of its own."""
    told = tmp_path / "scheduler.json"
    options = ["--host", "127.0.0.1", "--no-dashboard"]
    with ExitStack() as ended:

        def begin(program: str, *arguments: str) -> None:
            code = f"from distributed.cli.dask_{program} import main; main()"
            command = [sys.executable, "-c", code, *options, *arguments]
            process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            ended.callback(process.wait)
            ended.callback(process.kill)

        begin("scheduler", "--port", "0", "--scheduler-file", str(told))
        deadline = time.monotonic() + 120.0
        while not (told.exists() and told.read_text().endswith("}")):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        address: str = json.loads(told.read_text())["address"]
        for number in range(2):
            own = ["--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path / f"worker-{number}")]
            begin("worker", address, *own)
        yield address


def test_every_way_comes_to_the_same_bytes(course: Course, scheduler: str, tmp_path: Path) -> None:
    """Workers of this machine, a Dask cluster and nbgrader's own command keep the same evaluations and marks."""
    ways = {
        "here": [["autograder", "grade"]],
        "cluster": [["autograder", "grade", "--scheduler", scheduler]],
        "nbgrader": [["nbgrader", "autograde", name] for name in ASSIGNMENTS],
    }
    kept, marks = {}, {}
    for way, commands in ways.items():
        other = Course(tmp_path / way)
        shutil.copytree(course.root, other.root)
        for command in commands:
            done = subprocess.run(
                [sys.executable, "-m", *command], cwd=other.root, capture_output=True, text=True, check=False
            )
            assert done.returncode in (0, 3), done.stdout + done.stderr  # 3: some are not gradable
        evaluations = [path for path in other.store.glob("*.json") if not path.name.endswith(".usage.json")]
        kept[way] = {path.name: path.read_bytes() for path in evaluations}
        marks[way] = {(score.assignment, score.student): score.score for score in scores(other)}

    handed_in = {(path.parents[0].name, path.parents[1].name) for path in course.root.glob("submitted/*/*/*")}
    assert marks["here"].keys() == handed_in
    assert marks["cluster"] == marks["nbgrader"] == marks["here"]
    assert kept["cluster"] == kept["here"]
    assert kept["nbgrader"] == kept["here"]
    assert len(kept["here"]) == len(handed_in)
