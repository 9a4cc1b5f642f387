"""A batch grades what changed, keeps every result, and records it from one process."""

import dataclasses
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from autograder import store
from autograder.batch import grading
from autograder.batch.grading import Action, Means, Step, evaluate_job, grade
from autograder.batch.planning import plan
from autograder.batch.reasons import changes
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import Details, digest_of, environment
from autograder.faults import CourseFault
from autograder.records import CheckResult, Evaluation, Outcome, Status, TestResult
from autograder.store import Parts, Store

HandIn = Callable[..., Path]


class MemoryLedger:
    """A gradebook that keeps what it is told."""

    def __init__(self) -> None:
        self.marks: dict[tuple[str, str], Evaluation] = {}
        self.refuses: frozenset[str] = frozenset()

    def recorded(self, assignment: str, student: str) -> str | None:
        """Returns the digest of what stands there."""
        found = self.marks.get((assignment, student))
        return found.digest if found else None

    last = recorded

    def record(self, evaluation: Evaluation) -> None:
        """Keeps an evaluation."""
        if evaluation.student in self.refuses:
            raise CourseFault("The gradebook is locked.")
        self.marks[evaluation.assignment, evaluation.student] = evaluation


def _evaluated(submission: Submission, assignment: Assignment, *, sandbox: str) -> tuple[Evaluation, Details]:
    """Stands in for grading: what was handed in says what comes of it."""
    text = submission.raw.decode()
    if "broken suite" in text:
        raise CourseFault("The suite is broken.")
    whose = "the host" if "no memory" in text else ""
    test = TestResult("test_it", "It is right.", Outcome.NOT_GRADABLE if whose else Outcome.PASSED, 1.0, whose=whose)
    points = None if whose else 2.0
    check = CheckResult("numerics", test.outcome, points, 2.0, (test,))
    key = digest_of(submission, assignment)
    evaluation = Evaluation(
        assignment.name, submission.student, Status.GRADED, "", 2.0, 5.0, (), (check,), (), (), environment(), key
    )
    return dataclasses.replace(evaluation, pending=("numerics",) if whose else ()), Details(usage={"run_s": 1.0})


@pytest.fixture(autouse=True)
def fake_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grades without kernels."""
    monkeypatch.setattr(grading, "evaluate", _evaluated)


def _pool() -> Executor:
    return ThreadPoolExecutor(2)


def _grade(course: Course, ledger: MemoryLedger, student: str | None = None) -> dict[str, Step]:
    planned = plan(course, course.assignment_names(), student=student, sandbox="bubblewrap")
    means = Means(partial(evaluate_job, course=course, sandbox="bubblewrap"), _pool, 2)
    steps = list(grade(planned, ledger, course=course, sandbox="bubblewrap", means=means))
    assert len({step.job for step in steps}) == len(steps)
    return {step.job.student: step for step in steps}


def test_new_submissions_are_graded(course: Course, hand_in: HandIn) -> None:
    """A submission that was never graded is evaluated, kept in the store and recorded, and the step says why."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    hand_in("s2", **{"doubling.ipynb": "two"})
    ledger = MemoryLedger()
    steps = _grade(course, ledger)
    assert {(step.action, step.why) for step in steps.values()} == {(Action.GRADED, "new")}
    assert set(ledger.marks) == {("doubling", "s1"), ("doubling", "s2")}
    for step in steps.values():
        assert step.evaluation is not None
        assert Store(course.store).load(step.evaluation.digest) == step.evaluation
        assert Store(course.store).usage(step.evaluation.digest) == {"run_s": 1.0}


def test_a_second_run_grades_only_what_changed(course: Course, hand_in: HandIn) -> None:
    """A second run leaves what has not changed, grades what was handed in anew, and says which is which."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    folder = hand_in("s2", **{"doubling.ipynb": "two"})
    ledger = MemoryLedger()
    _grade(course, ledger)
    (folder / "doubling.ipynb").write_text("another")
    steps = _grade(course, ledger)
    assert steps["s1"].action is Action.SKIPPED
    assert steps["s2"].action is Action.GRADED
    assert (steps["s1"].why, steps["s2"].why) == ("up to date", "the submission changed")


def test_every_step_says_what_changed(course: Course, hand_in: HandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is graded again says whether it was the suite, the release, a limit, a version or the grader itself."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    suite, ledger = course.root / "tests" / "doubling", MemoryLedger()
    _grade(course, ledger)
    (suite / "test_numerics.py").write_text("def test_it(student):\n    'Now stricter.'\n")
    assert _grade(course, ledger)["s1"].why == "the suite changed"
    (course.root / "release" / "doubling" / "data.csv").write_text("1")
    (suite / "assignment.toml").write_text("[limits]\ncell_s = 7\n")
    assert _grade(course, ledger)["s1"].why == "the release changed, limits changed"
    monkeypatch.setattr(store, "_program", lambda: "another")
    assert _grade(course, ledger)["s1"].why == "the grader itself changed"
    for usage in course.store.glob("*.usage.json"):
        usage.write_text("{}")
    monkeypatch.setattr(store, "_program", lambda: "a third")
    assert _grade(course, ledger)["s1"].why == "changed"


def test_versions_are_named() -> None:
    """Another version is named with the old and the new one; jaxlib, which goes with JAX, is not named again."""
    parts, before = Parts(*"abcdef"), environment()
    now = dataclasses.replace(before, jax="0.99", jaxlib="0.99", autograder="9", sandbox="none")
    before = dataclasses.replace(before, jax="0.98", jaxlib="0.98", autograder="8")
    told = list(changes((parts, before), (dataclasses.replace(parts, program="x"), now)))
    assert told == ["autograder 8 -> 9", "JAX 0.98 -> 0.99", "sandbox bubblewrap -> none"]


def test_an_old_suite_that_comes_back_is_not_graded_again(course: Course, hand_in: HandIn) -> None:
    """An evaluation under the suite of before is taken from the store, and the step says why it is recorded again."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    ledger, suite = MemoryLedger(), course.root / "tests" / "doubling" / "test_numerics.py"
    before = suite.read_text()
    _grade(course, ledger)
    suite.write_text("def test_it(student):\n    'Now stricter.'\n")
    _grade(course, ledger)
    suite.write_text(before)
    step = _grade(course, ledger)["s1"]
    assert (step.action, step.why) == (Action.RECORDED, "evaluated before: the suite changed")


def test_a_lost_gradebook_is_filled_from_the_store(course: Course, hand_in: HandIn) -> None:
    """An evaluation that is in the store and not in the gradebook is recorded without grading again."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    first = _grade(course, MemoryLedger())["s1"]
    again = _grade(course, MemoryLedger())["s1"]
    assert again.action is Action.RECORDED
    assert again.evaluation == first.evaluation


def test_one_student(course: Course, hand_in: HandIn) -> None:
    """With a student named, the others' submissions are left alone."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    hand_in("s2", **{"doubling.ipynb": "two"})
    assert set(_grade(course, MemoryLedger(), "s2")) == {"s2"}


def test_a_fault_of_the_course_is_no_zero(course: Course, hand_in: HandIn) -> None:
    """A broken suite leaves its submission without marks, says whose fault it is, and stops nobody else."""
    hand_in("s1", **{"doubling.ipynb": "broken suite"})
    hand_in("s2", **{"doubling.ipynb": "two"})
    ledger = MemoryLedger()
    steps = _grade(course, ledger)
    assert steps["s1"].action is Action.FAILED
    assert steps["s1"].trouble is not None
    assert steps["s1"].trouble.whose == "the course"
    assert set(ledger.marks) == {("doubling", "s2")}


def test_a_fault_of_the_host_is_neither_kept_nor_recorded(course: Course, hand_in: HandIn) -> None:
    """What the host spoiled is graded anew by the next run."""
    folder = hand_in("s1", **{"doubling.ipynb": "no memory"})
    ledger = MemoryLedger()
    step = _grade(course, ledger)["s1"]
    assert step.action is Action.FAILED
    assert step.trouble is not None
    assert step.trouble.whose == "the host"
    assert ledger.marks == {}
    assert not list(course.store.glob("*.json"))
    assert folder.is_dir()


def test_an_assignment_at_fault_leaves_the_others(course: Course, hand_in: HandIn) -> None:
    """An assignment whose files are at fault has no marks, and says so for each of its submissions."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    (course.root / "tests" / "doubling" / "test_tripled.py").unlink()
    step = _grade(course, MemoryLedger())["s1"]
    assert step.action is Action.FAILED
    assert "tripled" in step.why


@pytest.mark.parametrize("step", ["file_digest", "_write"])
def test_what_cannot_be_read_or_kept_stops_nobody_else(
    course: Course, hand_in: HandIn, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Where files of a submission cannot be read, or its result not be written, the host is at fault for it alone."""
    hand_in("s1", **{"doubling.ipynb": "one", "locked": ""})
    hand_in("s2", **{"doubling.ipynb": "two"})
    do = getattr(store, step)

    def refuse(path: Path, *more: str) -> bytes | None:
        if path.name == "locked" or "s1" in "".join(more):
            raise PermissionError(13, "Permission denied", str(path))
        done: bytes | None = do(path, *more)
        return done

    monkeypatch.setattr(store, step, refuse)
    steps = _grade(course, MemoryLedger())
    assert steps["s1"].action is Action.FAILED
    assert steps["s1"].trouble is not None
    assert steps["s1"].trouble.whose == "the host"
    assert "Permission denied" in steps["s1"].trouble.message
    assert steps["s2"].action is Action.GRADED


def test_a_gradebook_that_refuses_stops_nobody_else(course: Course, hand_in: HandIn) -> None:
    """When one record cannot be written, its evaluation is kept for the next run, and the others are recorded."""
    hand_in("s1", **{"doubling.ipynb": "one"})
    hand_in("s2", **{"doubling.ipynb": "two"})
    ledger = MemoryLedger()
    ledger.refuses = frozenset({"s1"})
    steps = _grade(course, ledger)
    assert steps["s1"].action is Action.FAILED
    assert steps["s2"].action is Action.GRADED
    ledger.refuses = frozenset()
    assert _grade(course, ledger)["s1"].action is Action.RECORDED
