"""A real Dask cluster of several processes, none of which sees the course folder, grades as this machine does."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from autograder.batch import cluster as clusters
from autograder.batch.cluster import Cluster
from autograder.batch.grading import evaluate_job
from autograder.batch.running import Job
from autograder.cli.ending import Exit
from autograder.course.golden import load_case, notebook_bytes
from autograder.course.layout import Course
from autograder.faults import HostFault
from autograder.gradebook.ledger import NbgraderLedger
from autograder.gradebook.scores import scores
from autograder.store import Store

pytestmark = pytest.mark.box

ROOT = Path(__file__).parents[3]
CASES = ("wrong_order", "right_namedtuple", "broken_no_notebook")
SCHEDULER = "from distributed.cli.dask_scheduler import main; main()"
WORKER = "from distributed.cli.dask_worker import main; main()"
OTHER_WORKER = f"import autograder; autograder.__version__ = '9'; {WORKER}"

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course with newton_sqrt, for which a few students handed in."""
    course = Course(tmp_path / "course")
    for place in ("source", "release", "tests"):
        leave = shutil.ignore_patterns("submissions")
        shutil.copytree(ROOT / place / "newton_sqrt", course.root / place / "newton_sqrt", ignore=leave)
    release = course.assignment("newton_sqrt").release
    for case in CASES:
        folder = course.submitted("newton_sqrt", case)
        folder.mkdir(parents=True)
        answer = load_case(ROOT / "tests" / "newton_sqrt" / "submissions" / case)
        (folder / "newton_sqrt.ipynb").write_bytes(notebook_bytes(answer, release))
    return course


@pytest.fixture
def start(tmp_path: Path, course: Course) -> Iterator[Start]:
    """Starts processes of a cluster in which the course folder is empty; they end with the test."""
    away = tmp_path / "away"
    away.mkdir()
    root = ["--cap-add", "ALL"] if os.geteuid() == 0 else []  # which the boxes inside need to be made by root
    hidden = ["bwrap", *root, "--dev-bind", "/", "/", "--tmpfs", str(course.root), "--chdir", str(away), "--"]
    started: list[subprocess.Popen[bytes]] = []

    def begin(code: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [*hidden, sys.executable, "-c", code, *arguments]
        with (tmp_path / f"log-{len(started)}").open("wb") as log:
            started.append(subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True))
        return started[-1]

    yield begin
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # a worker without its scheduler takes its time
    for process in started:
        process.wait()
        _until(partial(_is_empty, process.pid))


@pytest.fixture
def scheduler(start: Start, tmp_path: Path) -> str:
    """Address of a scheduler of its own."""
    told = tmp_path / "away" / "scheduler.json"
    start(SCHEDULER, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
    _until(lambda: told.exists() and told.read_text().endswith("}"))
    address: str = json.loads(told.read_text())["address"]
    return address


def _worker(start: Start, scheduler: str, *, code: str = WORKER) -> subprocess.Popen[bytes]:
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--local-directory", "."]
    return start(code, scheduler, *options)


def _grade(course: Course, scheduler: str) -> list[str]:
    command = [sys.executable, "-m", "autograder", "--course", str(course.root), "grade", "--json"]
    return [*command, "--scheduler", scheduler, "--workers", "3"]


def _is_empty(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def _until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300.0
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _has_a_box(process: subprocess.Popen[bytes]) -> bool:
    """Whether a sandbox runs below a worker, which is then in the middle of an evaluation."""
    below = [process.pid]
    for parent in below:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                below += map(int, children.read_text().split())
            except OSError:
                continue
    return any(_program(pid) == "bwrap" for pid in below[1:])


def _program(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def test_a_worker_that_dies_costs_a_retry(course: Course, scheduler: str, start: Start) -> None:
    """With one worker killed in the middle, workers that see no course grade everything as this machine does."""
    workers = [_worker(start, scheduler) for _ in range(2)]
    with subprocess.Popen(
        _grade(course, scheduler), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as grading:
        busy: list[subprocess.Popen[bytes]] = []
        _until(lambda: grading.poll() is not None or bool(busy.extend(filter(_has_a_box, workers)) or busy))
        os.killpg(busy[0].pid, signal.SIGKILL)
        printed, errors = grading.communicate()
    steps = {step["student"]: step for step in map(json.loads, printed.splitlines())}
    assert {student: step["action"] for student, step in steps.items()} == dict.fromkeys(CASES, "graded"), errors
    assert grading.returncode == Exit.PERSON  # for the one without a notebook
    assert {score.student for score in scores(course)} == set(CASES)
    here = evaluate_job(Job("newton_sqrt", "wrong_order"), course=course, sandbox="bubblewrap").evaluation
    kept = Store(course.store).load(NbgraderLedger(course).last("newton_sqrt", "wrong_order") or "")
    assert kept is not None
    assert replace(kept, digest="") == replace(here, digest="")


def test_a_cluster_whose_workers_are_gone(
    course: Course, scheduler: str, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no worker is left, a job ends as a fault of the host's instead of waiting for ever."""
    worker = _worker(start, scheduler)
    with closing(Cluster(scheduler, course=course, sandbox="bubblewrap")) as cluster:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        monkeypatch.setattr(clusters, "ANSWER_S", 0.5)
        with pytest.raises(HostFault, match="no worker left"):
            cluster.evaluate(Job("newton_sqrt", "wrong_order"))


def test_a_scheduler_that_is_gone(course: Course, scheduler: str, start: Start, tmp_path: Path) -> None:
    """Where the scheduler is gone, a job ends as a fault of the host's, and so does leaving the cluster."""
    _worker(start, scheduler)
    cluster = Cluster(scheduler, course=course, sandbox="bubblewrap")
    cluster._client.close()
    with pytest.raises(HostFault):
        cluster.evaluate(Job("newton_sqrt", "wrong_order"))
    cluster.close()


def test_another_version_grades_nothing(course: Course, scheduler: str, start: Start) -> None:
    """A worker with another version of the grader refuses: a fault of the host's, which leaves nobody a mark."""
    _worker(start, scheduler, code=OTHER_WORKER)
    done = subprocess.run(_grade(course, scheduler), capture_output=True, text=True, check=False)
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert {(step["action"], step["fault"]["whose"]) for step in steps} == {("failed", "the host")}, done.stderr
    assert all("-> 9" in step["why"] for step in steps)
    assert done.returncode == Exit.HOST
    assert not list(course.store.glob("*"))
