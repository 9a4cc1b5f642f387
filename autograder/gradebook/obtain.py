"""Finds the evaluation of a submission in the store, or makes it on the spot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from autograder.batch.planning import parts_of
from autograder.box.policy import Sandbox
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import evaluate
from autograder.records import Evaluation
from autograder.store import Store

Result = TypeVar("Result")


def obtain(
    course: Course, assignment: Assignment, submission: Submission, *, sandbox: Sandbox = "bubblewrap"
) -> Evaluation:
    """Returns the evaluation of a submission, from the store if it is there.

    Args:
        course: Whose store is used.
        assignment: What was handed in for.
        submission: What was handed in.
        sandbox: As in `autograder.evaluate.evaluate`.

    Raises:
        CourseFault: The assignment's own files are at fault.
        HostFault: This machine failed while it was graded, or could not begin.
    """
    store = Store(course.store)
    parts = parts_of(submission, assignment, sandbox=sandbox)
    found = store.load(parts.key)
    if found is not None:
        return found
    evaluation, details = outside_loop(lambda: evaluate(submission, assignment, sandbox=sandbox))
    store.save(evaluation, details.usage, parts if parts.key == evaluation.digest else None)
    return evaluation


def outside_loop(call: Callable[[], Result]) -> Result:
    """Calls a function where it may run an asyncio loop of its own, also from inside one (formgrader's button)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return call()
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(call).result()
