"""What a worker of a cluster runs: it has this program, and of the course only what the job carries.

A worker is part of the trusted side: it holds hidden suites while it grades, in folders that only its account may read.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder import serial
from autograder.batch.parcel import unpack
from autograder.batch.planning import parts_of
from autograder.batch.reasons import changes
from autograder.batch.running import Trouble
from autograder.course.handin import read_submission
from autograder.course.layout import Course
from autograder.evaluate import environment, evaluate
from autograder.faults import HostFault
from autograder.records import Environment
from autograder.store import Parts

_REMEDY = "Install the same versions on every worker as on the machine that grades, from the same copy of this program."


class Unpacked:
    """An assignment in a private folder, which is removed with this object, or when the worker ends.

    Args:
        assignment: As `autograder.batch.parcel.pack_assignment` made it.
    """

    def __init__(self, assignment: bytes) -> None:
        folder = tempfile.mkdtemp(prefix="autograder-course-", dir=_scratch())
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        unpack(assignment, Path(folder))
        self.course = Course(Path(folder))


@lru_cache(maxsize=4)
def unpacked(assignment: bytes) -> Unpacked:
    """Returns the assignment, unpacked once in this worker."""
    return Unpacked(assignment)


def forget() -> None:
    """Removes what was unpacked and is not being graded with."""
    unpacked.cache_clear()


def evaluate_parcel(assignment: bytes, submission: bytes, order: str) -> str:
    """Evaluates one submission that came as bytes.

    Args:
        assignment: As `autograder.batch.parcel.pack_assignment` made it.
        submission: As `autograder.batch.parcel.pack_submission` made it.
        order: JSON: `assignment`, `student` and `sandbox`, and the `parts` and the `environment` that the grader has.

    Returns:
        JSON: `evaluation` (text by its schema) and `usage`; or `trouble`, the fields of `Trouble`.
    """
    try:
        return json.dumps(_evaluate(assignment, submission, json.loads(order)))
    except Exception as error:
        return json.dumps({"trouble": asdict(Trouble.of(error))})


def _evaluate(assignment: bytes, submission: bytes, order: Mapping[str, Any]) -> dict[str, Any]:
    held = unpacked(assignment)  # as long as this runs, whatever is forgotten meanwhile
    task, sandbox = held.course.assignment(order["assignment"]), order["sandbox"]
    with tempfile.TemporaryDirectory(prefix="autograder-submission-", dir=_scratch()) as name:
        unpack(submission, Path(name))
        work = read_submission(Path(name), task, student=order["student"])
        there = Parts(**order["parts"]), Environment(**order["environment"])
        here = parts_of(work, task, sandbox=sandbox), environment(sandbox)
        if differences := list(changes(there, here)):
            raise HostFault(f"A worker would grade otherwise: {', '.join(differences)}.", remedy=_REMEDY)
        evaluation, details = evaluate(work, task, sandbox=sandbox)
    return {"evaluation": serial.to_json(evaluation), "usage": dict(details.usage)}


def _scratch() -> str | None:
    """Returns Dask's folder for this worker, which a later worker removes if this one is killed."""
    try:
        from distributed import get_worker

        return str(get_worker().local_directory)
    except (ImportError, ValueError, AttributeError):  # not in a worker
        return None
