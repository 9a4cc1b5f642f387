"""The runner: every job ends in exactly one way, whatever the others do."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from autograder.batch.running import Ended, Evaluated, Job, Trouble, cores, local_pool, run
from autograder.faults import CourseFault, LimitFault
from autograder.records import Environment, Evaluation, Status

JOBS = tuple(Job("newton_sqrt", f"student-{number}") for number in range(6))
pool = partial(local_pool, 2)


def _evaluation(job: Job) -> Evaluated:
    environment = Environment("0", "3", "0", "0", "2", "bubblewrap")
    evaluation = Evaluation(job.assignment, job.student, Status.GRADED, "", 1, 1, (), (), (), (), environment, "0" * 64)
    return Evaluated(evaluation, {"run_s": 1.0})


def _good(job: Job) -> Evaluated:
    return _evaluation(job)


def _faulty(job: Job) -> Evaluated:
    match job.student:
        case "student-1":
            raise CourseFault("The suite is empty.", remedy="Write one.")
        case "student-2":
            raise LimitFault("It ran too long.", cause="wall")
        case "student-3":
            raise ZeroDivisionError("a bug")
    return _evaluation(job)


def _deadly(job: Job) -> Evaluated:
    if job.student == "student-1":
        os.kill(os.getpid(), signal.SIGKILL)
    return _evaluation(job)


def _endless(job: Job) -> Evaluated:
    if job.student != "student-0":
        signal.pause()
    return _evaluation(job)


def _threads() -> Executor:
    return ThreadPoolExecutor(2)


def _by_student(ended: Iterator[Ended]) -> dict[str, Ended]:
    collected = list(ended)
    found = {end.job.student: end for end in collected}
    assert len(found) == len(collected)
    return found


def test_every_job_is_evaluated_once() -> None:
    """Every job yields its own evaluation, once."""
    ended = _by_student(run(JOBS, _good, pool=pool, workers=2))
    assert {student: end.evaluated for student, end in ended.items()} == {job.student: _evaluation(job) for job in JOBS}


def test_any_executor_will_do() -> None:
    """Threads give the same results as processes: the runner asks for an executor and no more."""
    assert _by_student(run(JOBS, _good, pool=_threads, workers=2)) == _by_student(
        run(JOBS, _good, pool=pool, workers=2)
    )


def test_no_jobs() -> None:
    """Without jobs nothing is started and nothing comes."""

    def never() -> Executor:
        raise AssertionError

    assert list(run((), _good, pool=never, workers=2)) == []


def test_a_fault_costs_its_own_job_alone() -> None:
    """A fault of the course, of a limit or of this program is reported with its job; the others are evaluated."""
    ended = _by_student(run(JOBS, _faulty, pool=pool, workers=2))
    assert {student for student, end in ended.items() if end.trouble} == {"student-1", "student-2", "student-3"}
    course, limit, bug = (ended[f"student-{number}"].trouble for number in (1, 2, 3))
    assert course is not None
    assert (course.whose, course.message, course.remedy) == ("the course", "The suite is empty.", "Write one.")
    assert limit is not None
    assert limit.whose == "the student's work"
    assert bug is not None
    assert bug.whose == "this program"
    assert bug.message == "ZeroDivisionError: a bug"
    assert "_faulty" in bug.detail


def test_a_dead_worker_costs_its_own_job_alone() -> None:
    """A job that kills its worker is the host's fault, and every other job is evaluated all the same."""
    ended = _by_student(run(JOBS, _deadly, pool=pool, workers=2))
    assert set(ended) == {job.student for job in JOBS}
    assert {student for student, end in ended.items() if end.evaluated is None} == {"student-1"}
    trouble = ended["student-1"].trouble
    assert trouble is not None
    assert trouble.whose == "the host"


def test_closing_ends_what_is_under_way() -> None:
    """Closing the iterator, as Ctrl-C does, ends jobs that would never end by themselves."""
    ended = run(JOBS, _endless, pool=pool, workers=2)
    assert next(ended).job.student == "student-0"
    ended.close()
    assert list(ended) == []


def test_cores() -> None:
    """At least one core may be used, and no more than the machine has."""
    assert 1 <= cores() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("error", [CourseFault("x", detail="secret"), ValueError("x")])
def test_trouble_keeps_details_for_the_staff(error: Exception) -> None:
    """The record of an error keeps what helps the staff apart from the message."""
    trouble = Trouble.of(error)
    assert trouble.detail
    assert trouble.detail not in trouble.message


KILLED = """
import os, signal, time
from autograder.batch.running import local_pool
if __name__ == "__main__":
    pool = local_pool(1)
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit(time.sleep, 600)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_a_killed_grader(tmp_path: Path) -> None:
    """When the grader is killed its workers end, also in the middle of a job."""
    (tmp_path / "grader.py").write_text(KILLED)
    done = subprocess.run([sys.executable, tmp_path / "grader.py"], capture_output=True, text=True, check=False)
    worker = Path("/proc", done.stdout.strip())
    deadline = time.monotonic() + 60
    while _runs(worker) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert done.stdout.strip().isdigit()
    assert not _runs(worker)


def _runs(process: Path) -> bool:
    """Whether a process is there and no zombie, which waits for whoever adopted it."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
