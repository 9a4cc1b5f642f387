"""A regrade is rehearsed before it is recorded, and what people decided outlives both."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.batch import grading
from autograder.box.folder import PrivateFolder
from autograder.cli import batch, main
from autograder.cli.ending import Exit
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import Details
from autograder.gradebook import rehearsal
from autograder.gradebook.standing import Change, Mark, Standing, compare
from autograder.records import Evaluation

HandIn = Callable[..., Path]


@pytest.fixture
def evaluated(graded_course: Course, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Evaluates in threads by reading what was handed in; lists the students that were evaluated, in order."""
    from autograder.gradebook.convert import course_config

    course_config(graded_course)  # makes the evaluator importable
    import reading

    students: list[str] = []

    def evaluate(submission: Submission, assignment: Assignment, *, sandbox: str) -> tuple[Evaluation, Details]:
        students.append(submission.student)
        return reading.read_instead_of_run(graded_course, assignment, submission), Details()

    monkeypatch.setattr(reading, "RIGHT", dict(reading.RIGHT))
    monkeypatch.setattr(grading, "evaluate", evaluate)
    monkeypatch.setattr(batch, "local_pool", lambda workers: ThreadPoolExecutor(1))
    return students


@pytest.fixture
def changed_suite(graded_course: Course, hand_in: HandIn, evaluated: list[str]) -> Course:
    """Four students were graded; then the suite came to ask for another triple, and people had a say before."""
    import reading

    release = (graded_course.root / "release/doubling/doubling.ipynb").read_text()
    for student, triple in {"ann": "3 * x", "bob": "x + x + x", "cat": "3 * x", "dan": "x", "eve": "3 * x"}.items():
        document = json.loads(release)
        document["cells"][2]["source"] = "def double(x):\n    return 2 * x\n"
        document["cells"][4]["source"] = f"def triple(x):\n    return {triple}\n"
        late = "2026-01-02 00:00:00 UTC" if student == "eve" else "2025-12-31 00:00:00 UTC"
        hand_in(student, **{"doubling.ipynb": json.dumps(document), "timestamp.txt": late})
    with (graded_course.root / "nbgrader_config.py").open("a") as file:
        file.write("c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    with _gradebook(graded_course) as gradebook:
        gradebook.update_or_create_assignment("doubling", duedate="2026-01-01 00:00:00 UTC")
    assert _run(graded_course, "grade") == Exit.DONE
    with _gradebook(graded_course) as gradebook:
        gradebook.find_grade("tripled", "doubling", "doubling", "cat").manual_score = 1.5
        gradebook.find_grade("numerics", "doubling", "doubling", "dan").extra_credit = 0.5
        gradebook.find_comment("triple", "doubling", "doubling", "cat").manual_comment = "Nearly."
        gradebook.db.commit()
    reading.RIGHT["tripled"] = ("triple", "x + x + x")
    (graded_course.root / "tests/doubling/test_tripled.py").write_text("def test_it(student):\n    'Another.'\n")
    return graded_course


def _run(course: Course, *arguments: str) -> int:
    return main(["--course", str(course.root), *arguments])


def _gradebook(course: Course) -> Gradebook:
    return Gradebook(f"sqlite:///{course.gradebook}")


def _kept(course: Course) -> dict[str, bytes]:
    """Returns all that nbgrader keeps of a course."""
    places = [course.gradebook, *course.root.glob("autograded/**/*"), *course.root.glob("feedback/**/*")]
    return {str(path): path.read_bytes() for path in places if path.is_file()}


def _lines(printed: str) -> list[str]:
    return [" ".join(line.split()) for line in printed.splitlines()]


TABLE = [
    "student before after change checks",
    "ann 5 2 -3 tripled 3 -> 0",
    "eve 0 0 0 tripled 3 -> 0, late penalty 5 -> 2",
    "bob 2 5 +3 tripled 0 -> 3",
]
SUMS = "5 submissions: 1 gain 3, 1 lose 3, 2 unchanged, 1 with other marks and the same total."
PEOPLE = "Marks that people gave stand, in 1 submission."


def test_a_dry_run_touches_nothing(
    changed_suite: Course, evaluated: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A dry run says who gains and loses, and leaves all that nbgrader keeps; recording evaluates nothing again."""
    assert _run(changed_suite, "feedback") == Exit.DONE
    before, count = _kept(changed_suite), len(evaluated)
    capsys.readouterr()
    assert _run(changed_suite, "regrade", "doubling", "--dry-run") == Exit.DONE
    shown = _lines(capsys.readouterr().out)
    assert _kept(changed_suite) == before
    assert sorted(evaluated[count:]) == ["ann", "bob", "cat", "dan", "eve"]
    assert shown == [*TABLE, f"{SUMS} {PEOPLE} Nothing was recorded."]

    assert _run(changed_suite, "regrade", "doubling") == Exit.DONE
    assert _lines(capsys.readouterr().out) == [*TABLE, f"{SUMS} {PEOPLE} Recorded."]
    assert len(evaluated) == count + 5
    assert _kept(changed_suite) != before
    assert _run(changed_suite, "regrade", "doubling", "--dry-run") == Exit.DONE
    assert _lines(capsys.readouterr().out) == [f"5 submissions: 5 unchanged. {PEOPLE} Nothing was recorded."]


def test_what_is_said_records_what_was_shown(changed_suite: Course, capsys: pytest.CaptureFixture[str]) -> None:
    """The command that a rehearsal names is for the same students and the same course."""
    assert _run(changed_suite, "regrade", "doubling", "--student", "ann", "--dry-run") == Exit.DONE
    said = f"To record it: autograder --course {changed_suite.root} regrade doubling --student ann"
    assert said in capsys.readouterr().err


def test_a_later_due_date_reaches_the_marks(changed_suite: Course, capsys: pytest.CaptureFixture[str]) -> None:
    """What was recorded under another due date is recorded anew, though nothing that decides an evaluation changed."""
    assert _run(changed_suite, "regrade", "doubling") == Exit.DONE
    with _gradebook(changed_suite) as gradebook:
        gradebook.update_or_create_assignment("doubling", duedate="2026-01-03 00:00:00 UTC")
    capsys.readouterr()
    assert _run(changed_suite, "regrade", "doubling") == Exit.DONE
    shown = _lines(capsys.readouterr().out)
    assert shown[1] == "eve 0 2 +2 late penalty 2 -> 0"


def test_a_dry_run_that_was_killed_leaves_nothing(changed_suite: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy of a gradebook that a killed rehearsal left behind is gone after the next one."""
    left = PrivateFolder.create(rehearsal._PREFIX)
    (left.path / "gradebook.db").touch()
    os.utime(left.path, (0, 0))
    os.close(left.lock)
    assert _run(changed_suite, "regrade", "doubling", "--dry-run") == Exit.DONE
    assert not left.path.exists()


def test_people_and_penalties_decide(changed_suite: Course, capsys: pytest.CaptureFixture[str]) -> None:
    """A manual score, extra credit, a comment and a late penalty stand after a regrade, as its preview says."""
    capsys.readouterr()
    assert _run(changed_suite, "regrade", "doubling", "--dry-run", "--json") == Exit.DONE
    shown = {line["student"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}
    assert _run(changed_suite, "regrade", "doubling") == Exit.DONE
    with _gradebook(changed_suite) as gradebook:
        for student, preview in shown.items():
            submission = gradebook.find_submission("doubling", student)
            assert max(0, submission.score - (submission.late_submission_penalty or 0)) == preview["after"]
        grade = gradebook.find_grade("tripled", "doubling", "doubling", "cat")
        assert (grade.auto_score, grade.score, grade.needs_manual_grade) == (0.0, 1.5, True)
        assert gradebook.find_comment("triple", "doubling", "doubling", "cat").comment == "Nearly."
    assert {student: line["after"] for student, line in shown.items()} == {
        "ann": 2.0,
        "bob": 5.0,
        "cat": 3.5,
        "dan": 2.5,
        "eve": 0.0,
    }
    assert shown["cat"]["by_person"] == ["tripled"]
    assert (shown["eve"]["late_penalty"], shown["eve"]["checks"]) == (2.0, {"tripled": {"before": 3.0, "after": 0.0}})


def test_losses_come_first() -> None:
    """Who loses most comes first, and what is equal is no change."""

    def standing(score: float, *, waits: bool = False) -> Standing:
        return Standing(score, 5.0, 0.0, {"numerics": Mark(None if waits else score, by_person=False)})

    before = {"a": standing(1.0), "b": standing(4.0), "c": standing(2.0), "d": standing(0.0)}
    after = {"a": standing(3.0), "b": standing(1.0), "c": standing(2.0), "d": standing(0.0, waits=True)}
    found = compare(before, after | {"e": standing(5.0)})
    assert [(change.student, change.points, change.changed) for change in found] == [
        ("b", -3.0, True),
        ("c", 0.0, False),
        ("d", 0.0, True),
        ("a", 2.0, True),
        ("e", 5.0, True),
    ]
    assert found[2].checks == {"numerics": (Mark(0.0, by_person=False), Mark(None, by_person=False))}
    assert not Change("f", None, None).changed
