"""What people read of an evaluation."""

import dataclasses
import io

import pytest
from rich.console import Console

from autograder.records import (
    CheckResult,
    Environment,
    Evaluation,
    LimitHit,
    Outcome,
    Repair,
    Status,
    TestResult,
)
from autograder.report import UNSANDBOXED, plain, points, render, staff_details, visible

PASSED = TestResult("test_root", "The root is right over many magnitudes.", Outcome.PASSED, 3.0)
FAILED = TestResult(
    "test_large[2**24]",
    "A start of 2**24 still iterates.",
    Outcome.FAILED,
    1.0,
    message="The loop never ran.",
    hint="x0 + 1 == x0 in float32.",
    whose="the student's work",
)
STUCK = TestResult(
    "test_tol", "Another tol does not recompile.", Outcome.NOT_GRADABLE, 1.0, message="No memory.", whose="the host"
)
EVALUATION = Evaluation(
    assignment="newton_sqrt",
    student="kim",
    status=Status.GRADED_WITH_REPAIRS,
    reason="",
    score=4.5,
    max_score=10,
    pending=("compiles",),
    checks=(
        CheckResult("numerics", Outcome.PARTIAL, 4.5, 6, (PASSED, FAILED)),
        CheckResult("compiles", Outcome.NOT_GRADABLE, None, 4, (STUCK,)),
    ),
    repairs=(Repair("restored_cell", "numerics", "The locked cell numerics was changed and is back."),),
    limits=(LimitHit("wall", "cell 3", "It ran longer than 20 s and was ended."),),
    environment=Environment("0.1.0", "3.11.7", "0.10.2", "0.10.2", "2.4.6", "bubblewrap"),
    digest="ab" * 32,
)


def test_whole_report() -> None:
    """A report says the score, each test, what failed, what to try, the repairs, the limits and what is pending."""
    assert plain(EVALUATION) == (
        """\
newton_sqrt, kim: graded with repairs, 4.5 of 10 points

◐ numerics  4.5 of 6  partly passed
  ✓ The root is right over many magnitudes.
  ✗ A start of 2**24 still iterates.
    The loop never ran.
    Hint: x0 + 1 == x0 in float32.

? compiles  - of 4  not gradable
  ? Another tol does not recompile.
    Could not be checked; at fault: the host.
    No memory.

Repairs made before grading
  - The locked cell numerics was changed and is back.

Limits hit
  - cell 3: It ran longer than 20 s and was ended.

Waiting for a person: compiles. No points are lost by it.

autograder 0.1.0, Python 3.11.7, JAX 0.10.2, jaxlib 0.10.2, NumPy 2.4.6, sandbox: bubblewrap
evaluation """
        + "ab" * 32
    )


def test_no_sandbox_is_said() -> None:
    """A result from outside a sandbox says so, and one from inside does not."""
    environment = dataclasses.replace(EVALUATION.environment, sandbox="none")
    unsafe = dataclasses.replace(EVALUATION, environment=environment)
    assert UNSANDBOXED in plain(unsafe, width=200)
    assert UNSANDBOXED not in plain(EVALUATION, width=200)


def test_reason_of_a_whole_refusal() -> None:
    """A submission that is not gradable as a whole says why and what to do."""
    reason = "The file is no notebook. Ask the student to hand in the .ipynb file."
    check = CheckResult("numerics", Outcome.NOT_GRADABLE, None, 6, ())
    refused = dataclasses.replace(EVALUATION, status=Status.NOT_GRADABLE, reason=reason, checks=(check,), score=0.0)
    assert plain(refused).splitlines()[:2] == ["newton_sqrt, kim: not gradable, - of 10 points", reason]
    assert "numerics  -" not in plain(refused)


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\u202egnp.exe", "\x07", "\r"])
def test_nothing_steers_the_terminal(hostile: str) -> None:
    """A message quoted from a student's code cannot move the cursor, clear the screen or reorder a line."""
    test = dataclasses.replace(FAILED, message=f"boom {hostile}", title=hostile, hint=hostile)
    evaluation = dataclasses.replace(
        EVALUATION, student=hostile, checks=(CheckResult("numerics", Outcome.FAILED, 0.0, 6, (test,)),)
    )
    assert hostile[0] not in plain(evaluation)
    assert visible(hostile).startswith("\\")


def test_details_are_for_the_staff() -> None:
    """The details show each failure in full, and cannot steer the terminal either."""
    words = str(staff_details({"numerics/test_root": "a = 7\nassert 2.6 == 2.7\x1b[2J\n"}))
    assert words.startswith("\nFor the staff alone")
    assert words.endswith("numerics/test_root\na = 7\nassert 2.6 == 2.7\\x1b[2J")
    assert "No test failed" in str(staff_details({}))


def test_brackets_are_text() -> None:
    """A message with square brackets is shown as it is, and never read as console markup."""
    test = dataclasses.replace(FAILED, message="shape [red](3,)[/red] came [/]")
    evaluation = dataclasses.replace(EVALUATION, checks=(CheckResult("numerics", Outcome.FAILED, 0.0, 6, (test,)),))
    assert "shape [red](3,)[/red] came [/]" in plain(evaluation)


def test_colours_only_on_a_terminal() -> None:
    """The same report has colours on a terminal, and none in a file."""
    terminal = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=100)
    with terminal.capture() as captured:
        terminal.print(render(EVALUATION))
    assert "\x1b[" in captured.get()
    assert "\x1b[" not in plain(EVALUATION)


@pytest.mark.parametrize(("value", "text"), [(5.0, "5"), (2.5, "2.5"), (1 / 3, "0.33"), (None, "-"), (0.0, "0")])
def test_points(value: float | None, text: str) -> None:
    """Points are written without needless digits, and a dash stands for points that are not given yet."""
    assert points(value) == text
