"""What people and scripts read of a submission in a batch: functions of the record alone."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rich.table import Table
from rich.text import Text

from autograder.batch.grading import Action, Step
from autograder.batch.running import Job
from autograder.cli.ending import Exit, ending, explanation
from autograder.faults import CourseFault
from autograder.records import Evaluation, Outcome, Status
from autograder.report import STATUS_WORDS, UNSANDBOXED, counted, points, visible

_NOTHING: Mapping[Job, frozenset[str]] = MappingProxyType({})
DECIDE = (
    "give its marks in formgrader (in JupyterLab: Nbgrader, Formgrader, Manual Grading), "
    "or have the work handed in again and grade again."
)
"""What to do about work that is not gradable."""


Decided = Mapping[Job, frozenset[str]]
"""The grade_ids of checks whose marks a person gave, which stand whatever comes of an evaluation."""


def step_ending(step: Step, decided: Decided = _NOTHING) -> Exit:
    """Returns the exit code for one submission."""
    if step.trouble:
        return Exit.of(step.trouble.whose)
    evaluation = step.evaluation
    if evaluation is None or (evaluation.pending and not waiting(step, decided)):
        return Exit.DONE
    return ending(evaluation)


def waiting(step: Step, decided: Decided = _NOTHING) -> tuple[str, ...]:
    """Returns the grade_ids of checks that wait for a person, and for which no person gave a mark yet."""
    pending = step.evaluation.pending if step.evaluation else ()
    return tuple(name for name in pending if name not in decided.get(step.job, ()))


def _who(step: Step) -> str:
    return f"{visible(step.job.student)}, {visible(step.job.assignment)}"


def attention(step: Step, decided: Decided = _NOTHING) -> Text:
    """Returns what is said at once of a submission that needs somebody's attention."""
    if step.trouble:
        return Text(f"{_who(step)}: ") + explanation(step.trouble.whose, step.trouble.message, step.trouble.remedy)
    words = step.evaluation.reason if step.evaluation else ""
    if step.evaluation and not words:
        wait = waiting(step, decided)
        words = " ".join(f"{check}: {message}" for check, message in _unsettled(step.evaluation) if check in wait)
    said = Text.assemble(f"{_who(step)}: ", ("waits for a person: ", "magenta"), visible(words))
    checks = step.evaluation.checks if step.evaluation else ()
    if any(test.whose == CourseFault.whose for check in checks for test in check.tests):
        said.append(f"\nTo see why: autograder evaluate {visible(step.job.assignment)} <the notebook> --details")
    return said


def _unsettled(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yields each check that has no points yet, with what stood in the way first."""
    for check in evaluation.checks:
        if check.points is None:
            messages = (test.message for test in check.tests if test.outcome is Outcome.NOT_GRADABLE)
            yield check.grade_id, next(messages, "")


def table(steps: Iterable[Step], decided: Decided = _NOTHING) -> Table:
    """Returns every submission with its points, its result and why it was graded or not."""
    rows = Table("assignment", "student", "points", "result", "why", box=None, header_style="bold")
    rows.columns[2].justify = "right"
    for step in sorted(steps, key=lambda step: (step.job.assignment, step.job.student)):
        evaluation = step.evaluation
        earned = points(evaluation.score if evaluation and evaluation.status is not Status.NOT_GRADABLE else None)
        score = f"{earned} / {points(evaluation.max_score)}" if evaluation else "-"
        result = STATUS_WORDS[evaluation.status] if evaluation and not step.trouble else "no marks"
        why = f"{step.action}: {step.why}"
        if step.action is not Action.SKIPPED and (stands := decided.get(step.job)):
            why += f"; a person's mark stands: {', '.join(sorted(stands))}"
        cells = (step.job.assignment, step.job.student, score, result, why)
        rows.add_row(*(Text(visible(cell)) for cell in cells))
    return rows


def summary(steps: Sequence[Step], decided: Decided = _NOTHING) -> Text:
    """Returns how many submissions ended how."""
    counts = Counter(step.action for step in steps)
    words = ", ".join(f"{counts[action]} {action}" for action in Action if counts[action])
    text = Text(f"{counted(len(steps), 'submission')}: {words}.", style="bold")
    if wait := sum(bool(waiting(step, decided)) for step in steps):
        text.append(f"\n{counted(wait, 'submission')} with a part that waits for a person: {DECIDE}", style="magenta")
    if any(step.evaluation and step.evaluation.environment.sandbox == "none" for step in steps):
        text.append(f"\n{UNSANDBOXED}", style="bold red")
    return text


def as_json(step: Step) -> dict[str, Any]:
    """Returns the object that `grade --json` prints for a submission."""
    evaluation = step.evaluation
    trouble = dataclasses.asdict(step.trouble) if step.trouble else None
    if trouble:
        del trouble["detail"]  # for people; a log of marks is no place for tracebacks
    return {
        "assignment": step.job.assignment,
        "student": step.job.student,
        "action": step.action,
        "why": step.why,
        "status": evaluation.status if evaluation else None,
        "score": evaluation.score if evaluation else None,
        "max_score": evaluation.max_score if evaluation else None,
        "pending": evaluation.pending if evaluation else [],
        "sandbox": evaluation.environment.sandbox if evaluation else None,
        "fault": trouble,
    }
