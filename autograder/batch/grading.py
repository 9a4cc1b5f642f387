"""Grades what changed: workers evaluate, and this process alone writes to the store and the gradebook."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from autograder.batch import reasons
from autograder.batch.planning import Planned
from autograder.batch.running import Ended, Evaluated, Job, Trouble, run
from autograder.box.policy import Sandbox
from autograder.course.handin import read_submission
from autograder.course.layout import Course
from autograder.evaluate import environment, evaluate
from autograder.records import Evaluation
from autograder.store import Parts, Store


class Action(StrEnum):
    """What was done with a submission."""

    GRADED = "graded"
    """It was evaluated, and the marks were recorded."""
    RECORDED = "recorded"
    """Its evaluation was there already; the marks were recorded."""
    SKIPPED = "skipped"
    """Its evaluation and its marks were there already."""
    FAILED = "failed"
    """It has no marks, through no fault of the student's."""


class Ledger(Protocol):
    """Where marks are recorded."""

    def recorded(self, assignment: str, student: str) -> str | None:
        """Returns the digest of the evaluation whose marks stand there for what is handed in now, else `None`."""
        ...

    def last(self, assignment: str, student: str) -> str | None:
        """Returns the digest of the evaluation that was recorded last, whenever that was handed in."""
        ...

    def record(self, evaluation: Evaluation) -> None:
        """Records the marks of an evaluation."""
        ...


@dataclass(frozen=True, slots=True)
class Means:
    """What evaluates, on this machine or elsewhere; see `autograder.batch.running.run`.

    Attributes:
        evaluate: Evaluates one job in the pool.
        pool: Makes the executor.
        workers: How many submissions are evaluated at a time.
    """

    evaluate: Callable[[Job], Evaluated]
    pool: Callable[[], Executor]
    workers: int


@dataclass(frozen=True, slots=True)
class Step:
    """What came of one submission.

    Attributes:
        job: Whose, and for what.
        action: What was done.
        why: Why it was graded or not, as `autograder.batch.reasons` says it: `new`, `the suite changed`, `up to date`;
            what happened where it failed.
        evaluation: The result; `None` if `action` is `failed` before there was one.
        trouble: Why it failed; `None` otherwise.
    """

    job: Job
    action: Action
    why: str
    evaluation: Evaluation | None = None
    trouble: Trouble | None = None


def grade(
    planned: Iterable[Planned],
    ledger: Ledger,
    *,
    course: Course,
    sandbox: Sandbox,
    means: Means,
    anew: bool = False,
) -> Generator[Step]:
    """Grades what has no evaluation yet, and records what is not recorded; yields each submission as it is done.

    Args:
        planned: What there is to do.
        ledger: Where marks are recorded, by this process alone.
        course: Where submissions, suites and the store are.
        sandbox: In which sandbox the students' code runs.
        means: What evaluates.
        anew: Record also what stands already: a due date or a penalty may have changed since.
    """
    store = Store(course.store)
    todo: dict[Job, tuple[str, Parts]] = {}
    for one in planned:
        last = ledger.last(one.job.assignment, one.job.student)
        if one.trouble or one.parts is None:
            message = one.trouble.message if one.trouble else ""
            yield Step(one.job, Action.FAILED, message, trouble=one.trouble)
        elif not anew and one.known and ledger.recorded(one.job.assignment, one.job.student) == one.digest:
            yield Step(one.job, Action.SKIPPED, reasons.UP_TO_DATE, one.known)
        else:
            why = reasons.why_graded(store, one.parts, environment=environment(sandbox), last=last)
            if one.known:
                yield _recorded(one.job, one.known, ledger, Action.RECORDED, f"{reasons.KNOWN}: {why}")
            else:
                todo[one.job] = why, one.parts
    with closing(run(todo, means.evaluate, pool=means.pool, workers=means.workers)) as endings:
        for ended in endings:
            why, parts = todo[ended.job]
            yield _done(ended, ledger, store, why=why, parts=parts)


def evaluate_job(job: Job, *, course: Course, sandbox: Sandbox) -> Evaluated:
    """Evaluates one submission of a course folder; what a worker does.

    Args:
        job: Whose, and for what.
        course: Where it lies.
        sandbox: In which sandbox the student's code runs.
    """
    assignment = course.assignment(job.assignment)
    folder = course.submitted(job.assignment, job.student)
    evaluation, details = evaluate(
        read_submission(folder, assignment, student=job.student), assignment, sandbox=sandbox
    )
    return Evaluated(evaluation, details.usage)


def _done(ended: Ended, ledger: Ledger, store: Store, *, why: str, parts: Parts) -> Step:
    if ended.evaluated is None:
        message = ended.trouble.message if ended.trouble else ""
        return Step(ended.job, Action.FAILED, message, trouble=ended.trouble)
    evaluation = ended.evaluated.evaluation
    known = parts if parts.key == evaluation.digest else None  # not if it was handed in again meanwhile
    try:
        store.save(evaluation, ended.evaluated.usage, known)
    except Exception as error:
        return _failed(ended.job, evaluation, error)
    return _recorded(ended.job, evaluation, ledger, Action.GRADED, why)


def _recorded(job: Job, evaluation: Evaluation, ledger: Ledger, action: Action, why: str) -> Step:
    try:
        ledger.record(evaluation)
    except Exception as error:
        return _failed(job, evaluation, error)
    return Step(job, action, why, evaluation)


def _failed(job: Job, evaluation: Evaluation, error: Exception) -> Step:
    """Says why there are no marks: whatever it was, it is not the student's, and the others must go on."""
    trouble = Trouble.of(error)
    return Step(job, Action.FAILED, trouble.message, evaluation, trouble)
