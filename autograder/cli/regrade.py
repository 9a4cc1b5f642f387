"""`autograder regrade`: an assignment under its present suite, and who gains or loses how much by it."""

from __future__ import annotations

import json as json_library
import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from autograder.batch.grading import Step
from autograder.cli.app import Settings
from autograder.cli.batch import Batch, carry_out, decided, planned, say_attention
from autograder.cli.chosen import chosen
from autograder.cli.ending import Exit, stderr, stdout
from autograder.cli.steps import step_ending
from autograder.course.layout import Course
from autograder.gradebook.ledger import NbgraderLedger
from autograder.gradebook.rehearsal import rehearsal
from autograder.gradebook.standing import Change, Mark, compare, standings
from autograder.report import counted, points, visible


def run(
    settings: Settings,
    assignment: str,
    *,
    dry_run: bool,
    student: str | None,
    workers: int | None,
    scheduler: str | None,
    json: bool,
) -> Exit:
    """Grades what changed, and prints whose marks changed by it, or would.

    Args:
        settings: The course, and in which sandbox.
        assignment: Name of the assignment.
        dry_run: Record nothing.
        student: One student's id; `None` for everyone.
        workers: Submissions graded at a time; `None` for one a core.
        scheduler: Address of a Dask scheduler; `None` to grade on this machine.
        json: Print a line of JSON for each submission instead of a table.
    """
    course = Course(settings.course)
    batch = Batch(settings, chosen(course, assignment), student, workers, scheduler)
    found = planned(batch)
    if not found:
        return Exit.DONE
    before = standings(course, assignment)
    settled = decided(assignment, before)
    tell = partial(say_attention, decided=settled)
    if dry_run:
        with rehearsal(course) as rehearsed:
            steps, ended = carry_out(batch, found, rehearsed, tell=tell, anew=True)
            after = standings(rehearsed.copy, assignment)
    else:
        steps, ended = carry_out(batch, found, NbgraderLedger(course), tell=tell, anew=True)
        after = standings(course, assignment)
    students = {step.job.student for step in steps}
    changes = [change for change in compare(before, after) if change.student in students]
    if json:
        for change in changes:
            print(json_library.dumps(as_json(change, assignment)))
    else:
        if any(change.changed for change in changes):
            stdout().print(table(changes))
        stdout().print(summary(changes, steps, dry_run=dry_run), soft_wrap=True)
        if dry_run and ended is Exit.DONE:
            stderr().print(Text(f"To record it: {visible(_recording(batch))}"), soft_wrap=True)
    return ended if ended is Exit.INTERRUPTED else Exit.worst(step_ending(step, settled) for step in steps)


def _recording(batch: Batch) -> str:
    """Returns the command that records what was rehearsed."""
    words = ["autograder"]
    if batch.settings.course != Path.cwd():
        words += ["--course", str(batch.settings.course)]
    if batch.settings.sandbox == "none":
        words.append("--unsafe-no-sandbox")
    words += ["regrade", *batch.assignments]
    for option, value in (("--student", batch.student), ("--scheduler", batch.scheduler)):
        words += [option, value] if value else []
    return shlex.join(words)


def table(changes: Sequence[Change]) -> Table:
    """Returns a line for each student whose marks change: the old and the new total, and the checks that did it."""
    rows = Table("student", "before", "after", "change", "checks", box=None, header_style="bold")
    for column in rows.columns[1:4]:
        column.justify = "right"
    for change in changes:
        if change.changed:
            old, new = (points(one.score if one else None) for one in (change.before, change.after))
            signed = "new" if change.before is None else _signed(change.points)
            rows.add_row(Text(visible(change.student)), old, new, signed, Text(_checks(change)))
    return rows


def summary(changes: Sequence[Change], steps: Sequence[Step], *, dry_run: bool) -> Text:
    """Returns how many gain, lose and keep what they had, in how many points."""
    known = [change for change in changes if change.before is not None]
    gains = [change.points for change in known if change.points > 0]
    losses = [change.points for change in known if change.points < 0]
    same = sum(not change.changed for change in known)
    parts = [f"{same} unchanged"]
    if gains or losses:
        moves = (f"{len(gains)} gain {points(sum(gains))}", f"{len(losses)} lose {points(-sum(losses))}")
        parts = [*moves, *parts]
    if moved := len(known) - len(gains) - len(losses) - same:
        parts.append(f"{moved} with other marks and the same total")
    if new := sum(change.before is None for change in changes):
        parts.append(f"{new} new")
    if failed := sum(step.trouble is not None for step in steps):
        parts.append(f"{failed} could not be graded")
    said = [f"{counted(len(steps), 'submission')}: {', '.join(parts)}."]
    if people := sum(any(mark.by_person for mark in _marks(change).values()) for change in changes):
        said.append(f"Marks that people gave stand, in {counted(people, 'submission')}.")
    said.append("Nothing was recorded." if dry_run else "Recorded.")
    return Text(" ".join(said), style="bold")


def as_json(change: Change, assignment: str) -> dict[str, Any]:
    """Returns the object that `regrade --json` prints for a submission."""
    return {
        "assignment": assignment,
        "student": change.student,
        "before": change.before.score if change.before else None,
        "after": change.after.score if change.after else None,
        "change": change.points,
        "late_penalty": change.after.late_penalty if change.after else None,
        "checks": {
            name: {"before": old.points if old else None, "after": new.points if new else None}
            for name, (old, new) in change.checks.items()
        },
        "by_person": sorted(name for name, mark in _marks(change).items() if mark.by_person),
    }


def _marks(change: Change) -> Mapping[str, Mark]:
    return change.after.marks if change.after else {}


def _signed(value: float) -> str:
    return f"{round(value, 2):+g}" if round(value, 2) else "0"


def _checks(change: Change) -> str:
    said = [f"{visible(name)} {_points(old)} -> {_points(new)}" for name, (old, new) in change.checks.items()]
    before, after = change.before, change.after
    if before and after and before.late_penalty != after.late_penalty:
        said.append(f"late penalty {points(before.late_penalty)} -> {points(after.late_penalty)}")
    kept = [visible(name) for name, mark in _marks(change).items() if mark.by_person]
    if kept:
        said.append(f"a person's mark stands: {', '.join(kept)}")
    return ", ".join(said)


def _points(mark: Mark | None) -> str:
    return "-" if mark is None else "waits" if mark.points is None else points(mark.points)
