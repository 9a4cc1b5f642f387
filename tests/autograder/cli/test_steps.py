"""What people and scripts read of a batch."""

import io
import json

import pytest
from rich.console import Console

from autograder.batch.grading import Action, Step
from autograder.batch.running import Job, Trouble
from autograder.cli.ending import Exit
from autograder.cli.steps import as_json, attention, step_ending, summary, table
from autograder.records import CheckResult, Environment, Evaluation, Outcome, Status, TestResult
from autograder.report import UNSANDBOXED


def _evaluation(points: float | None, *, sandbox: str = "bubblewrap", whose: str = "the student's work") -> Evaluation:
    outcome = Outcome.PASSED if points else Outcome.FAILED
    if points is None:
        outcome = Outcome.NOT_GRADABLE
    test = TestResult("test_it", "It is right.", outcome, 1.0, message="The counter was cleared.", whose=whose)
    return Evaluation(
        assignment="newton_sqrt",
        student="s1",
        status=Status.GRADED,
        reason="",
        score=points or 0.0,
        max_score=10,
        pending=() if points is not None else ("compiles",),
        checks=(CheckResult("compiles", outcome, points, 10, (test,)),),
        repairs=(),
        limits=(),
        environment=Environment("0", "3", "0", "0", "2", sandbox),
        digest="0" * 64,
    )


DONE = Step(Job("newton_sqrt", "s1"), Action.GRADED, "new", _evaluation(7.5))
TAMPERED = Step(Job("newton_sqrt", "s2"), Action.GRADED, "new", _evaluation(None))
FAILED = Step(
    Job("tax_switch", "s[3]"),
    Action.FAILED,
    "The suite is empty.",
    trouble=Trouble("the course", "The suite is empty.", "Write one.", "Traceback ..."),
)


def _printed(thing: object) -> list[str]:
    console = Console(file=io.StringIO(), width=120, color_system=None)
    with console.capture() as captured:
        console.print(thing)
    return [" ".join(line.split()) for line in captured.get().splitlines()]


def test_table() -> None:
    """The table has a line for each submission: points, how it ended, what was done and why."""
    assert _printed(table([FAILED, DONE, TAMPERED])) == [
        "assignment student points result why",
        "newton_sqrt s1 7.5 / 10 graded graded: new",
        "newton_sqrt s2 0 / 10 graded graded: new",
        "tax_switch s[3] - no marks failed: The suite is empty.",
    ]


def test_summary_counts_endings() -> None:
    """The summary counts what was done, and says it when there was no sandbox."""
    assert str(summary([DONE, FAILED])) == "2 submissions: 1 graded, 1 failed."
    assert str(summary([DONE])) == "1 submission: 1 graded."
    unsafe = Step(DONE.job, Action.GRADED, "", _evaluation(1.0, sandbox="none"))
    assert UNSANDBOXED in str(summary([DONE, unsafe]))


def test_summary_says_what_to_do_about_what_waits() -> None:
    """Work that waits for a person comes with what that person can do."""
    said = str(summary([DONE, TAMPERED, FAILED]))
    assert said.startswith("3 submissions: 2 graded, 1 failed.\n1 submission with a part that waits for a person: ")
    assert "Formgrader" in said


def test_what_a_person_decided_waits_no_more() -> None:
    """A check that has a person's mark is neither asked for again nor an exit code, and its mark is said to stand."""
    decided = {TAMPERED.job: frozenset({"compiles"})}
    assert str(summary([TAMPERED], decided)) == "1 submission: 1 graded."
    assert step_ending(TAMPERED, decided) is Exit.DONE
    assert step_ending(TAMPERED) is Exit.PERSON
    assert _printed(table([TAMPERED], decided))[1].endswith("graded: new; a person's mark stands: compiles")


def test_attention_says_what_is_to_be_done() -> None:
    """What needs somebody's attention says who must do what, and never shows a traceback."""
    assert str(attention(TAMPERED)) == "s2, newton_sqrt: waits for a person: compiles: The counter was cleared."
    assert str(attention(FAILED)) == (
        "s[3], tax_switch: Fault of the course: The suite is empty.\nTo mend it: Write one."
    )
    broken = Step(DONE.job, Action.GRADED, "new", _evaluation(None, whose="the course"))
    assert str(attention(broken)).endswith("\nTo see why: autograder evaluate newton_sqrt <the notebook> --details")


def test_json_has_the_documented_keys() -> None:
    """A script gets the documented keys, plain values, and no traceback."""
    assert json.loads(json.dumps(as_json(DONE))) == {
        "assignment": "newton_sqrt",
        "student": "s1",
        "action": "graded",
        "why": "new",
        "status": "graded",
        "score": 7.5,
        "max_score": 10,
        "pending": [],
        "sandbox": "bubblewrap",
        "fault": None,
    }
    fault = as_json(FAILED)["fault"]
    assert fault == {"whose": "the course", "message": "The suite is empty.", "remedy": "Write one."}


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (DONE, Exit.DONE),
        (Step(DONE.job, Action.GRADED, "", _evaluation(0.0)), Exit.DONE),
        (TAMPERED, Exit.PERSON),
        (Step(DONE.job, Action.GRADED, "", _evaluation(None, whose="the course")), Exit.COURSE),
        (FAILED, Exit.COURSE),
    ],
)
def test_exit_codes(step: Step, code: Exit) -> None:
    """A low score ends well; what waits for a person, the course or the host does not."""
    assert step_ending(step) == code
