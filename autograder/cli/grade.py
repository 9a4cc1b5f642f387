"""`autograder grade`: everything that was handed in, several at a time, with the marks in nbgrader's gradebook."""

from __future__ import annotations

import json as json_library
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from autograder.batch.grading import Step, grade
from autograder.batch.planning import plan
from autograder.batch.running import cores, local_pool
from autograder.cli.app import Settings
from autograder.cli.ending import Exit, stderr, stdout
from autograder.cli.steps import as_json, attention, step_ending, summary, table
from autograder.course.layout import Course
from autograder.gradebook.ledger import NbgraderLedger
from autograder.report import visible

STRAYS = 10
"""Things in the wrong place that are named."""


def run(settings: Settings, assignment: str | None, *, student: str | None, workers: int | None, json: bool) -> Exit:
    """Grades what changed and prints what came of every submission.

    Args:
        settings: The course, and in which sandbox.
        assignment: Name of one assignment; `None` for every one.
        student: One student's id; `None` for everyone.
        workers: Submissions graded at a time; `None` for one a core.
        json: Print a line of JSON as each submission ends instead of a table at the end.
    """
    course = Course(settings.course)
    planned = list(plan(course, _names(course, assignment), student=student, sandbox=settings.sandbox))
    if strays := course.strays():
        stderr().print(_left_out(course, strays), soft_wrap=True)
    if not planned:
        folder = course.root / "submitted" / (student or "<student>") / (assignment or "<assignment>")
        if student:
            raise typer.BadParameter(f"{visible(student)} handed in nothing.", param_hint="--student")
        stderr().print(Text(f"Nothing was handed in; submissions lie in {visible(str(folder))}."), soft_wrap=True)
        return Exit.DONE
    count = workers or cores()
    steps: list[Step] = []
    work = grade(
        planned,
        NbgraderLedger(course),
        course=course,
        sandbox=settings.sandbox,
        pool=partial(local_pool, count),
        workers=count,
    )
    try:
        with closing(work), _progress(stderr()) as progress:
            bar = progress.add_task("Grading", total=len(planned))
            for step in work:
                steps.append(step)
                _say(step, progress, json=json)
                progress.advance(bar)
    except KeyboardInterrupt:
        left = len(planned) - len(steps)
        stderr().print(Text(f"Ended by Ctrl-C: {len(steps)} done, {left} left for the next run."))
        return Exit.INTERRUPTED
    if not json:
        stdout().print(table(steps))
        stdout().print(summary(steps), soft_wrap=True)
    return Exit.worst(step_ending(step) for step in steps)


def _left_out(course: Course, strays: Sequence[Path]) -> Text:
    """Returns the words for what was handed in where it is not looked for."""
    shown = ", ".join(visible(str(path.relative_to(course.root))) for path in strays[:STRAYS])
    more = f" and {len(strays) - STRAYS} more" if len(strays) > STRAYS else ""
    known = ", ".join(course.assignment_names()) or "none"
    rule = "submissions lie in submitted/<student>/<assignment>/"
    return Text(f"Left out: {shown}{more}; {rule}. Known assignments: {known}.", style="yellow")


def _say(step: Step, progress: Progress, *, json: bool) -> None:
    """Says at once what a script waits for, or what needs a person."""
    if json:
        print(json_library.dumps(as_json(step)), flush=True)
    elif step.trouble or (step.evaluation and step.evaluation.pending):
        progress.console.print(attention(step), soft_wrap=True)


def _names(course: Course, assignment: str | None) -> tuple[str, ...]:
    if assignment is not None:
        course.assignment(assignment)  # a name that does not exist is said at once
        return (assignment,)
    return course.assignment_names()


class _Rate(ProgressColumn):
    """Submissions a second, once there is something to divide."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "", style="progress.data.speed")


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
