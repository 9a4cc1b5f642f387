"""Many evaluations at once: a job that kills its worker costs that job alone, and results stream back."""

from __future__ import annotations

import multiprocessing
import multiprocessing.context
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import forkserver

from autograder.faults import Fault, HostFault
from autograder.records import Evaluation

_AHEAD = 2
"""Jobs that wait in the pool, so that nobody is idle while a result is recorded."""

_DIED = "The process that graded this submission died, twice."
_DIED_REMEDY = "Look for a lack of memory on this machine, and grade the submission again."


@dataclass(frozen=True, slots=True)
class Job:
    """One submission that is to be graded.

    Attributes:
        assignment: Name of the assignment.
        student: nbgrader's student id.
    """

    assignment: str
    student: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a job has no evaluation: a `Fault` as a record that crosses between processes.

    Attributes:
        whose: `the course`, `the host` or `this program`.
        message: What happened, in one or two sentences.
        remedy: What to do about it, or an empty string.
        detail: More for the staff alone: a traceback.
    """

    whose: str
    message: str
    remedy: str = ""
    detail: str = ""

    @classmethod
    def of(cls, error: Exception) -> Trouble:
        """Returns the record of an error; one that is no `Fault` is a fault of this program."""
        detail = "".join(traceback.format_exception(error))
        if isinstance(error, Fault):
            return cls(error.whose, error.message, error.remedy, error.detail or detail)
        return cls(Fault.whose, f"{type(error).__name__}: {error}", "Please report it with the traceback.", detail)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An evaluation and what it cost.

    Attributes:
        evaluation: The result, also of a submission that is not gradable.
        usage: What varies from run to run, such as seconds by stage.
    """

    evaluation: Evaluation
    usage: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a job: an evaluation, or the trouble that stood in its way, never both.

    Attributes:
        job: Which job.
        evaluated: The result; `None` with trouble.
        trouble: A fault that is not the student's; `None` with a result.
    """

    job: Job
    evaluated: Evaluated | None
    trouble: Trouble | None = None


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def local_pool(workers: int) -> ProcessPoolExecutor:
    """Returns fresh worker processes on this machine, which leave Ctrl-C to their parent, and end with it.

    They are forked from a process that has done their imports once and runs one thread; a fork of this one would copy
    the locks of threads that do not come along.
    """
    context = _forkserver()
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)


def begin_local() -> None:
    """Lets what `local_pool` needs load meanwhile, in processes of its own."""
    _forkserver()
    forkserver.ensure_running()


def _forkserver() -> multiprocessing.context.ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["autograder.batch.preloaded"])
    return context


def run(
    jobs: Iterable[Job],
    evaluate: Callable[[Job], Evaluated],
    *,
    pool: Callable[[], Executor],
    workers: int,
) -> Generator[Ended]:
    """Evaluates jobs and yields what came of each as it ends.

    When a worker process dies, the jobs that were under way are tried again, one at a time; one that dies alone is
    given up. Closing the iterator ends what is under way at once.

    Args:
        jobs: What to evaluate.
        evaluate: Called in the pool with one job; must be picklable for a pool of processes.
        pool: Makes an executor; called again when one broke.
        workers: How many jobs are under way at a time.
    """
    queue = deque(jobs)
    while queue:
        suspects = yield from _until_crash(queue, evaluate, pool=pool, workers=workers)
        for suspect in suspects:
            if (yield from _until_crash(deque([suspect]), evaluate, pool=pool, workers=1)):
                yield Ended(suspect, None, Trouble.of(HostFault(_DIED, remedy=_DIED_REMEDY)))


def _until_crash(
    queue: deque[Job], evaluate: Callable[[Job], Evaluated], *, pool: Callable[[], Executor], workers: int
) -> Generator[Ended, None, list[Job]]:
    """Works on the queue until it is empty or the pool breaks, and returns the jobs that were then under way."""
    running: dict[Future[Ended], Job] = {}
    executor = pool()
    try:
        while queue or running:
            crashed: list[Job] = []
            while queue and len(running) < workers + _AHEAD and not crashed:
                job = queue.popleft()
                try:
                    running[executor.submit(_attempt, evaluate, job)] = job
                except BrokenExecutor:
                    crashed.append(job)
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                job = running.pop(future)
                try:
                    yield future.result()
                except BrokenExecutor:
                    crashed.append(job)
            if crashed:
                crashed += running.values()
                running.clear()
                return crashed
        return []
    finally:
        if running and isinstance(executor, ProcessPoolExecutor):
            # left in the middle: by Ctrl-C, or by an error of the one who takes the results
            for process in multiprocessing.active_children():
                process.terminate()
        executor.shutdown(cancel_futures=True)


def _attempt(evaluate: Callable[[Job], Evaluated], job: Job) -> Ended:
    """Evaluates one job in a worker; every error is caught here, so that it is a record and not a broken pool."""
    try:
        return Ended(job, evaluate(job))
    except Exception as error:
        return Ended(job, None, Trouble.of(error))


def _begin_worker() -> None:
    # A handler that does nothing, and not SIG_IGN, which the sandboxed kernels would inherit.
    signal.signal(signal.SIGINT, lambda number, frame: None)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this worker, and so its boxes, when the grader is killed: nobody would take its results."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGKILL)
