"""A Dask cluster evaluates: jobs carry what they need, and results return to this process, the one that writes.

Threads of this process each wait for one job of the cluster, so that the batch runner sees an executor as any other.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from autograder import serial
from autograder.batch.parcel import pack_assignment, pack_submission
from autograder.batch.planning import parts_of
from autograder.batch.remote import evaluate_parcel, forget
from autograder.batch.running import Evaluated, Job
from autograder.box.policy import Sandbox
from autograder.course.handin import read_submission
from autograder.course.layout import Assignment, Course
from autograder.evaluate import environment
from autograder.faults import Fault, HostFault

ANSWER_S = 30.0
"""Seconds in which a scheduler must answer, and one worker must have joined it."""


class Cluster:
    """The workers of one Dask scheduler.

    Args:
        address: Of the scheduler: `tcp://host:8786`, or `tls://` with what Dask's own settings say of certificates.
        course: Whose submissions are evaluated.
        sandbox: In which sandbox the students' code runs, on the workers.

    Raises:
        HostFault: Dask is not installed here, no scheduler answers, or it has no workers.
    """

    def __init__(self, address: str, *, course: Course, sandbox: Sandbox) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            remedy = "In a copy of this program, here and on the workers: pip install -c constraints.txt '.[dask]'"
            raise HostFault("Dask is not installed, which --scheduler needs.", remedy=remedy) from error
        self._course = course
        self._sandbox: Sandbox = sandbox
        self._under_way: set[Any] = set()
        self._ended = False
        self._parcel = lru_cache(maxsize=4)(self._pack)
        try:
            self._client = Client(address, timeout=ANSWER_S, set_as_default=False)
            self._client.wait_for_workers(1, timeout=ANSWER_S)
        except (OSError, ValueError, TimeoutError) as error:
            remedy = "Start it with `dask scheduler`, and its workers with `dask worker`."
            raise HostFault(f"No Dask scheduler with workers answers at {address}.", remedy=remedy) from error

    def size(self) -> int:
        """Returns how many submissions the workers can evaluate at a time, as far as they have joined."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def pool(self, workers: int) -> ThreadPoolExecutor:
        """Returns threads in which `evaluate` waits; when they are shut down, what is under way is given up.

        Args:
            workers: How many jobs are with the cluster at a time.
        """
        self._ended = False
        return _Waiting(workers, give_up=self._give_up)

    def evaluate(self, job: Job) -> Evaluated:
        """Evaluates one submission on some worker; one that dies with it costs a retry on another.

        Args:
            job: Whose, and for what.

        Raises:
            Fault: What stood in the way there; a fault of the host also where a worker has another environment, or
                where the cluster gave the job up.
        """
        assignment, parcel = self._parcel(job.assignment)
        folder = self._course.submitted(job.assignment, job.student)
        submission = read_submission(folder, assignment, student=job.student)
        order = {
            "assignment": job.assignment,
            "student": job.student,
            "sandbox": self._sandbox,
            "parts": asdict(parts_of(submission, assignment, sandbox=self._sandbox)),
            "environment": asdict(environment(self._sandbox)),
        }
        answer = json.loads(self._ask(parcel, pack_submission(folder), json.dumps(order)))
        if trouble := answer.get("trouble"):
            raise _fault(trouble)
        return Evaluated(serial.from_json(answer["evaluation"]), answer["usage"])

    def close(self) -> None:
        """Leaves the cluster, whose workers remove what they unpacked."""
        with suppress(Exception):  # the scheduler may be gone
            self._give_up()
            self._client.run(forget, on_error="ignore")
        self._client.close()

    def _pack(self, name: str) -> tuple[Assignment, bytes]:
        assignment = self._course.assignment(name)
        return assignment, pack_assignment(assignment)

    def _ask(self, *parcels: bytes | str) -> str:
        task: Any = None
        try:
            task = self._client.submit(evaluate_parcel, *parcels, pure=False)
            self._under_way.add(task)
            if self._ended:
                self._give_up()
            return str(self._result_of(task))
        except (CancelledError, asyncio.CancelledError) as error:
            raise HostFault("The cluster gave the evaluation up: the scheduler is gone, or it was ended.") from error
        except HostFault:
            raise
        except Exception as error:  # KilledWorker, or whatever kept a worker from starting on it
            message = f"The cluster could not evaluate it: {type(error).__name__}: {error}"
            raise HostFault(message, remedy="Look at the logs of the workers.") from error
        finally:
            self._under_way.discard(task)

    def _result_of(self, task: Any) -> Any:
        """Waits for a result for as long as there are workers that may bring it."""
        lonely = False
        while True:
            try:
                return task.result(timeout=ANSWER_S)
            except TimeoutError:
                if task.done():  # it came at the last moment, or is an error of its own
                    return task.result()
            alone, lonely = lonely, not self._client.nthreads()
            if alone and lonely:
                self._client.cancel([task], force=True)
                raise HostFault("The cluster has no worker left.", remedy="Start some with `dask worker`.")

    def _give_up(self) -> None:
        self._ended = True  # a thread may be just about to ask
        if under_way := list(self._under_way):
            self._client.cancel(under_way, force=True)


class _Waiting(ThreadPoolExecutor):
    """Threads that wait for a cluster."""

    def __init__(self, workers: int, *, give_up: Any) -> None:
        super().__init__(workers)
        self._end_waiting = give_up

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the threads; first what they wait for, which may take minutes yet."""
        self._end_waiting()
        super().shutdown(wait, cancel_futures=cancel_futures)


def _fault(trouble: dict[str, str]) -> Fault:
    """Returns the fault that a worker reports, with whose it is."""
    words = {name: trouble[name] for name in ("remedy", "detail")}
    fault = Fault(trouble["message"], **words)
    for kind in Fault.__subclasses__():
        if kind.whose == trouble["whose"]:
            fault = kind(trouble["message"], **words)
    return fault
