"""`autograder grade`: everything that was handed in, several at a time, with the marks in nbgrader's gradebook."""

from __future__ import annotations

import json as json_library
from functools import partial

from autograder.batch.grading import Step
from autograder.cli.app import Settings
from autograder.cli.batch import Batch, carry_out, decided, planned, say_attention
from autograder.cli.chosen import chosen
from autograder.cli.ending import Exit, stdout
from autograder.cli.progress import Watch
from autograder.cli.steps import as_json, step_ending, summary, table
from autograder.course.layout import Course


def run(
    settings: Settings,
    assignment: str | None,
    *,
    student: str | None,
    workers: int | None,
    scheduler: str | None,
    json: bool,
) -> Exit:
    """Grades what changed and prints what came of every submission.

    Args:
        settings: The course, and in which sandbox.
        assignment: Name of one assignment; `None` for every one.
        student: One student's id; `None` for everyone.
        workers: Submissions graded at a time; `None` for one a core.
        scheduler: Address of a Dask scheduler; `None` to grade on this machine.
        json: Print a line of JSON as each submission ends instead of a table at the end.
    """
    course = Course(settings.course)
    batch = Batch(settings, chosen(course, assignment), student, workers, scheduler)
    found = planned(batch)
    if not found:
        return Exit.DONE
    from autograder.gradebook.ledger import NbgraderLedger  # imports nbgrader, for a second in which workers load
    from autograder.gradebook.standing import standings

    standing = {name: standings(course, name) for name in batch.assignments}
    settled = {job: checks for name, marks in standing.items() for job, checks in decided(name, marks).items()}
    tell = _tell_json if json else partial(say_attention, decided=settled)
    steps, ended = carry_out(batch, found, NbgraderLedger(course), tell=tell)
    if ended is Exit.INTERRUPTED:
        return ended
    if not json:
        stdout().print(table(steps, settled))
        stdout().print(summary(steps, settled), soft_wrap=True)
    return Exit.worst(step_ending(step, settled) for step in steps)


def _tell_json(step: Step, watch: Watch) -> None:
    """Prints at once what a script waits for."""
    print(json_library.dumps(as_json(step)), flush=True)
