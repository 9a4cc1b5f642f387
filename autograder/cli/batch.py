"""What `grade` and `regrade` share: what there is to do, where it is evaluated, and what is said while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from autograder.batch.grading import Action, Ledger, Means, Step, evaluate_job, grade
from autograder.batch.planning import Planned, plan
from autograder.batch.running import Job, begin_local, cores, local_pool
from autograder.cli.app import Settings
from autograder.cli.ending import Exit, WrongUse, stderr
from autograder.cli.progress import Watch, watching
from autograder.cli.steps import Decided, attention, waiting
from autograder.course.layout import Course
from autograder.report import visible

if TYPE_CHECKING:
    from autograder.gradebook.standing import Standing  # imports nbgrader

STRAYS = 10
"""Things in the wrong place that are named."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What was asked for.

    Attributes:
        settings: The course, and in which sandbox.
        assignments: Names of assignments.
        student: One student's id; `None` for everyone.
        workers: Submissions evaluated at a time; `None` for one a core.
        scheduler: Address of a Dask scheduler; `None` for this machine.
    """

    settings: Settings
    assignments: Sequence[str]
    student: str | None
    workers: int | None
    scheduler: str | None

    @property
    def course(self) -> Course:
        """The course folder."""
        return Course(self.settings.course)


def planned(batch: Batch) -> list[Planned]:
    """Returns what was handed in, and says what lies where nobody looks for it.

    Raises:
        WrongUse: The student who was named handed in nothing.
    """
    course = batch.course
    with stderr().status("Looking at what was handed in ..."):
        found = list(plan(course, batch.assignments, student=batch.student, sandbox=batch.settings.sandbox))
    if batch.scheduler is None and any(one.known is None and one.trouble is None for one in found):
        begin_local()
    if strays := course.strays():
        stderr().print(_left_out(course, strays), soft_wrap=True)
    if not found:
        assignment = batch.assignments[0] if len(batch.assignments) == 1 else "<assignment>"
        folder = course.root / "submitted" / (batch.student or "<student>") / assignment
        if batch.student:
            raise WrongUse(f"{batch.student} handed in nothing.", remedy=f"Look for {folder}.")
        stderr().print(Text(f"Nothing was handed in; submissions lie in {visible(str(folder))}."), soft_wrap=True)
    return found


def carry_out(
    batch: Batch,
    planned: Sequence[Planned],
    ledger: Ledger,
    *,
    tell: Callable[[Step, Watch], None],
    anew: bool = False,
) -> tuple[list[Step], Exit]:
    """Evaluates and records what is planned.

    Args:
        batch: What was asked for.
        planned: What there is to do.
        ledger: Where it is recorded.
        tell: Called with each submission as it is done.
        anew: As in `autograder.batch.grading.grade`.

    Returns:
        What came of each submission that is done; `INTERRUPTED` if Ctrl-C ended it, which is then said, else `DONE`.
    """
    steps: list[Step] = []
    try:
        with _means(batch) as means:
            course, sandbox = batch.course, batch.settings.sandbox
            work = grade(planned, ledger, course=course, sandbox=sandbox, means=means, anew=anew)
            with closing(work), watching(stderr(), len(planned)) as watch:
                for step in work:
                    steps.append(step)
                    tell(step, watch)
                    watch.step(worked=step.action is not Action.SKIPPED)
    except KeyboardInterrupt:
        done = {step.job for step in steps}
        left = sum(one.job not in done for one in planned)
        stderr().print(Text(f"Ended by Ctrl-C: {len(steps)} done, {left} left for the next run."))
        return steps, Exit.INTERRUPTED
    return steps, Exit.DONE


def say_attention(step: Step, watch: Watch, *, decided: Decided) -> None:
    """Says at once what needs a person."""
    if step.trouble or waiting(step, decided):
        watch.say(attention(step, decided))


def decided(assignment: str, standings: Mapping[str, Standing]) -> Decided:
    """Returns the checks of each submission that have a mark of a person's.

    Args:
        assignment: Name of the assignment.
        standings: What stands for it, by student.
    """
    return {
        Job(assignment, student): frozenset(check for check, mark in standing.marks.items() if mark.by_person)
        for student, standing in standings.items()
    }


@contextmanager
def _means(batch: Batch) -> Iterator[Means]:
    """Gives what evaluates: processes on this machine, or a cluster."""
    course, sandbox = batch.course, batch.settings.sandbox
    with ExitStack() as stack:
        if batch.scheduler is None:
            count = batch.workers or cores()
            work = partial(evaluate_job, course=course, sandbox=sandbox)
            yield Means(work, partial(local_pool, count), count)
        else:
            from autograder.batch.cluster import Cluster

            cluster = stack.enter_context(closing(Cluster(batch.scheduler, course=course, sandbox=sandbox)))
            count = batch.workers or cluster.size()
            yield Means(cluster.evaluate, partial(cluster.pool, count), count)


def _left_out(course: Course, strays: Sequence[Path]) -> Text:
    """Returns the words for what was handed in where it is not looked for."""
    shown = ", ".join(visible(str(path.relative_to(course.root))) for path in strays[:STRAYS])
    more = f" and {len(strays) - STRAYS} more" if len(strays) > STRAYS else ""
    known = ", ".join(course.assignment_names()) or "none"
    rule = "submissions lie in submitted/<student>/<assignment>/"
    return Text(f"Left out: {shown}{more}; {rule}. Known assignments: {known}.", style="yellow")
