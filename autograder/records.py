"""The frozen records in which the stages of grading talk, from a test's outcome to a whole evaluation."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """What came of a test, or of a check as a whole."""

    PASSED = "passed"
    FAILED = "failed"
    PARTIAL = "partial"
    """Of a check only: some of its tests passed and some failed."""
    NOT_GRADABLE = "not_gradable"
    """A fault that is not the student's, or tampered evidence: no points yet, a person decides."""


class Status(StrEnum):
    """How an evaluation as a whole ended; exactly one of these."""

    GRADED = "graded"
    GRADED_WITH_REPAIRS = "graded_with_repairs"
    NOT_GRADABLE = "not_gradable"


@dataclass(frozen=True, slots=True)
class TestResult:
    """What came of one hidden test.

    Attributes:
        name: The test's name with its parameters, unique within its check: `test_root[small]`.
        title: First line of the test's docstring: the line that the student reads.
        outcome: `passed`, `failed` or `not_gradable`.
        weight: Its share of the check's points, relative to the other tests; greater than 0.
        message: What the student reads of a failure: the property that failed, never a hidden input or expected value.
            Of a test that passed: a remark, mostly empty.
        hint: What to try, from the test's `hint` mark or the fault's remedy; may be empty.
        whose: Whose fault a result other than `passed` is: `the student's work`, `the course`, `the host` or
            `this program`.
    """

    __test__ = False

    name: str
    title: str
    outcome: Outcome
    weight: float
    message: str = ""
    hint: str = ""
    whose: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one grade cell: the tests of `tests/<a>/test_<grade_id>.py`.

    Attributes:
        grade_id: nbgrader's id of the grade cell.
        outcome: All four values of `Outcome` occur.
        points: Points earned; `None` while the check is not gradable.
        max_points: Points of the grade cell in the release.
        tests: In the order of the file.
    """

    grade_id: str
    outcome: Outcome
    points: float | None
    max_points: float
    tests: tuple[TestResult, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that intake made so that the submission could be graded.

    Attributes:
        kind: One word for machines: `restored_cell`, `matched_answer`, `renamed_file`, ...
        cell: The grade_id or solution id concerned, or an empty string for the whole notebook.
        message: One sentence for the student and the TA.
    """

    kind: str
    cell: str
    message: str


@dataclass(frozen=True, slots=True)
class LimitHit:
    """A limit that the submission ran into, or an end of its process.

    Attributes:
        cause: `wall`, `cpu`, `memory`, `output`, `crash` or `exit`.
        where: `cell 3` (counted from 1 over code cells), or the name of a check's request.
        message: One sentence for the student and the TA.
    """

    cause: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Environment:
    """With what the work was graded.

    Attributes:
        autograder: Version of this program.
        python: Version of the interpreter, `3.11.7`.
        jax: Version of JAX.
        jaxlib: Version of jaxlib.
        numpy: Version of NumPy.
        sandbox: `bubblewrap`, or `none` when grading was forced without a sandbox.
    """

    autograder: str
    python: str
    jax: str
    jaxlib: str
    numpy: str
    sandbox: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The whole result for one submission of one assignment.

    Equal submissions give equal evaluations: what varies from run to run (times, usage) is kept beside it.

    Attributes:
        assignment: Name of the assignment.
        student: nbgrader's student id; may be empty for a notebook that is graded on its own.
        status: How it ended.
        reason: Why it is not gradable as a whole and what to do; empty otherwise.
        score: Sum of the points of all checks that have points.
        max_score: Sum of the maxima of all checks of the release; never depends on the submission.
        pending: The grade_ids of checks that wait for a person.
        checks: In the order of the release.
        repairs: What intake changed.
        limits: Limits hit while the notebook ran and while checks asked.
        environment: Versions and sandbox.
        digest: Key of the evaluation in the store: SHA-256, hexadecimal.
    """

    assignment: str
    student: str
    status: Status
    reason: str
    score: float
    max_score: float
    pending: tuple[str, ...]
    checks: tuple[CheckResult, ...]
    repairs: tuple[Repair, ...]
    limits: tuple[LimitHit, ...]
    environment: Environment
    digest: str
    schema_version: int = field(default=1)
