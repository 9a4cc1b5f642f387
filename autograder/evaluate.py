"""One function grades one submission: from the raw bytes that were handed in to an evaluation, touching no database."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from platform import python_version

import autograder
from autograder import store
from autograder.box.policy import Limits, Policy, Sandbox, Start
from autograder.budget import Budget
from autograder.course.files import NOT_THE_STUDENTS, laid_over, regular_files
from autograder.course.intake import Intake, intake
from autograder.course.layout import Assignment, Submission
from autograder.faults import CourseFault, HostFault
from autograder.records import CheckResult, Environment, Evaluation, LimitHit, Outcome, Status, TestResult
from autograder.score import score, total
from autograder.selfcheck import FOLDER as CHECKS
from autograder.session import Cell, ReplaySession, StudentSession, box_starter
from autograder.suite.asking import LinkPair
from autograder.suite.run import run_suite


@dataclass(frozen=True, slots=True)
class Details:
    """What lies beside an evaluation: for the staff alone, or different from run to run.

    Attributes:
        tests: Full text of each failure by `grade_id/test name`; hidden inputs and expected values may stand in it.
        usage: Wall seconds by stage (`run_s`, `check_s`), and of both boxes `cpu_s`,
            `peak_mb`, and how many of them were started cold (`cold_starts`).
    """

    tests: Mapping[str, str] = field(default_factory=dict)
    usage: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Run:
    """What the boxes and the suite made of a gradable submission."""

    results: Mapping[str, tuple[TestResult, ...]]
    limits: tuple[LimitHit, ...]
    details: Details


def evaluate(
    submission: Submission, assignment: Assignment, *, sandbox: Sandbox = "bubblewrap", start: Start = "auto"
) -> tuple[Evaluation, Details]:
    """Grades one submission.

    Args:
        submission: What was handed in.
        assignment: Its release, suite and limits.
        sandbox: `none` runs the student's code without a sandbox, and the evaluation says so.
        start: How boxes are started; the evaluation does not depend on it.

    Returns:
        The evaluation, the same for equal arguments, and what lies beside it.

    Raises:
        CourseFault: The assignment's own files are at fault.
        HostFault: No box can be started on this machine, or a file that decides the result changed meanwhile.
    """
    key = digest_of(submission, assignment, sandbox=sandbox)
    limits = limits_of(assignment)
    worth = {check.grade_id: check.max_points for check in assignment.checks}
    taken = intake(submission, assignment)
    if taken.gradable:
        run = _grade(submission, assignment, taken, policy=Policy(limits=limits, sandbox=sandbox, start=start))
        checks = score(worth, run.results)
    else:
        run = _Run({}, (), Details())
        checks = tuple(CheckResult(g, Outcome.NOT_GRADABLE, None, points, ()) for g, points in worth.items())
    if digest_of(submission, assignment, sandbox=sandbox) != key:
        message = f"A file of {assignment.name}, or one that was handed in, changed while it was graded."
        raise HostFault(message, remedy="Grade it again.")
    sums = total(checks)
    evaluation = Evaluation(
        assignment=assignment.name,
        student=submission.student,
        status=_status(taken, checks),
        reason=taken.reason,
        score=sums.score,
        max_score=sums.max_score,
        pending=sums.pending,
        checks=checks,
        repairs=taken.repairs,
        limits=run.limits,
        environment=environment(sandbox),
        digest=key,
    )
    return evaluation, run.details


def environment(sandbox: Sandbox = "bubblewrap") -> Environment:
    """Returns the versions that decide a result, without importing JAX.

    Args:
        sandbox: `bubblewrap`, or `none` when grading without one was asked for.
    """
    return Environment(
        autograder=autograder.__version__,
        python=python_version(),
        jax=_installed("jax"),
        jaxlib=_installed("jaxlib"),
        numpy=_installed("numpy"),
        sandbox=sandbox,
    )


@cache
def _installed(package: str) -> str:
    return metadata.version(package)  # it parses a file each time, and every submission asks


def limits_of(assignment: Assignment) -> Limits:
    """Returns the limits in force for an assignment: the defaults, and what its `assignment.toml` sets.

    Raises:
        CourseFault: The file names a limit that does not exist.
    """
    if unknown := sorted(set(assignment.limits) - set(Limits.__slots__)):
        known = ", ".join(Limits.__slots__)
        raise CourseFault(f"{assignment.name}: there is no limit {unknown[0]!r}.", remedy=f"Known limits: {known}.")
    return Limits(**assignment.limits)  # type: ignore[arg-type]  # whole numbers where the file has whole numbers


def digest_of(submission: Submission, assignment: Assignment, *, sandbox: Sandbox = "bubblewrap") -> str:
    """Returns the key under which the evaluation of a submission lies in the store."""
    limits = asdict(limits_of(assignment))
    return store.digest(submission, assignment, limits=limits, environment=environment(sandbox))


def _grade(submission: Submission, assignment: Assignment, taken: Intake, *, policy: Policy) -> _Run:
    """Runs the notebook in a student box and the hidden suite in this process."""
    cells = [Cell(placed.number, placed.cell.source) for placed in taken.to_run]
    start = box_starter(policy, files=_files(submission, assignment))
    limits, budget = policy.limits, Budget(policy.limits.submission_s)
    began = time.perf_counter()
    with (
        closing(StudentSession(cells, start, limits=limits, budget=budget)) as student,
        closing(ReplaySession(start, limits=limits, budget=budget)) as replay,
    ):
        student.run()
        ran = time.perf_counter()
        grade_ids = [check.grade_id for check in assignment.checks]
        suite = run_suite(assignment.suite, LinkPair(student, replay), grade_ids=grade_ids)
        checked = time.perf_counter()
    usage = {
        "run_s": ran - began,
        "check_s": checked - ran,
        "cpu_s": student.usage.cpu_s + replay.usage.cpu_s,
        "peak_mb": max(student.usage.peak_mb, replay.usage.peak_mb),
        "cold_starts": student.cold_starts + replay.cold_starts,
    }
    return _Run(suite.results, (*student.limits, *replay.limits), Details(suite.details, usage))


def _files(submission: Submission, assignment: Assignment) -> dict[str, Path]:
    """Returns what lies beside the notebook: what was handed in, and over it what the release brings, such as data.

    Public checks are for the live notebook: a cell that runs them costs a grader time and changes nothing.
    """
    folder = submission.folder
    handed_in = dict(regular_files(folder, skip=NOT_THE_STUDENTS | {CHECKS})) if folder else {}
    released = dict(regular_files(assignment.release.parent, skip=frozenset({CHECKS})))
    given = {name: path for name, path in released.items() if path.suffix != ".ipynb"}
    room = limits_of(assignment).scratch_mb
    if sum(path.stat().st_size for path in given.values()) > room * 2**20:
        message = f"The files released with {assignment.name} are larger than the {room} MiB that fit into a box."
        remedy = f"Release smaller ones, or set scratch_mb in tests/{assignment.name}/assignment.toml."
        raise CourseFault(message, remedy=remedy)
    return laid_over(given, handed_in)


def _status(taken: Intake, checks: tuple[CheckResult, ...]) -> Status:
    if all(check.points is None for check in checks):
        return Status.NOT_GRADABLE
    return Status.GRADED_WITH_REPAIRS if taken.repairs else Status.GRADED
