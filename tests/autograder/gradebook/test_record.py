"""Marks in nbgrader's database are those of the evaluation, and what people decided stays."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy.exc import OperationalError

from autograder.course.handin import read_submission
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import Details
from autograder.faults import CourseFault, Fault, HostFault
from autograder.gradebook import obtain as obtaining
from autograder.gradebook.autograde import EvaluatedAutograde
from autograder.gradebook.convert import run_converter
from autograder.gradebook.ledger import NbgraderLedger
from autograder.gradebook.record import record
from autograder.gradebook.scores import scores
from autograder.records import Evaluation

HandIn = Callable[..., Path]
Answers = Callable[..., str]
Evaluate = Callable[[str], Evaluation]
ESSAY = {
    "id": "essay",
    "cell_type": "markdown",
    "source": "",
    "metadata": {
        "nbgrader": {
            "grade_id": "essay",
            "grade": True,
            "solution": True,
            "locked": False,
            "task": False,
            "points": 1,
            "schema_version": 3,
        }
    },
}
"""A cell whose answer a person reads."""


@pytest.fixture
def evaluate(graded_course: Course) -> Evaluate:
    """Evaluates what a student handed in, by reading it."""
    from reading import read_instead_of_run

    def read(student: str) -> Evaluation:
        assignment = graded_course.assignment("doubling")
        folder = graded_course.submitted("doubling", student)
        submission = read_submission(folder, assignment, student=student)
        evaluation: Evaluation = read_instead_of_run(graded_course, assignment, submission)
        return evaluation

    return read


@pytest.fixture
def answers(graded_course: Course) -> Answers:
    """Returns the text of a notebook with these answers."""

    def fill(double: str = "2 * x", triple: str = "3 * x") -> str:
        document = json.loads((graded_course.root / "release/doubling/doubling.ipynb").read_text())
        document["cells"][2]["source"] = f"def double(x):\n    return {double}\n"
        document["cells"][4]["source"] = f"def triple(x):\n    return {triple}\n"
        return json.dumps(document)

    return fill


def open_gradebook(course: Course) -> Gradebook:
    """Opens the database."""
    return Gradebook(f"sqlite:///{course.gradebook}")


def autograded(course: Course, student: str) -> str:
    """Returns the text of the autograded notebook."""
    return (course.root / "autograded" / student / "doubling" / "doubling.ipynb").read_text(encoding="utf-8")


def test_points(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
) -> None:
    """Each grade cell has the points of its check; one that is not gradable has none and waits for a person."""
    hand_in("ann", **{"doubling.ipynb": answers(triple="x  # by hand")})
    record(graded_course, evaluate("ann"))
    with open_gradebook(graded_course) as gradebook:
        grades = {grade.name: grade for grade in gradebook.find_submission("doubling", "ann").notebooks[0].grades}
        assert (grades["numerics"].auto_score, grades["numerics"].needs_manual_grade) == (2.0, False)
        assert (grades["tripled"].auto_score, grades["tripled"].needs_manual_grade) == (None, True)
    (score,) = scores(graded_course)
    assert (score.score, score.max_score, score.needs_person) == (2.0, 5.0, True)


def test_nobody_else(graded_course: Course, hand_in: HandIn, answers: Answers, evaluate: Evaluate) -> None:
    """Recording one student touches no other, and an evaluation of another student is refused."""
    for student, triple in {"ann": "3 * x", "bob": "x", "a*": "3 * x"}.items():
        hand_in(student, **{"doubling.ipynb": answers(triple=triple)})
    for student in ("bob", "a*"):
        record(graded_course, evaluate(student))
    assert [(score.student, score.score) for score in scores(graded_course)] == [("a*", 5.0), ("bob", 2.0)]
    with pytest.raises(Fault, match=r"of 'bob', not of 'ann'"):
        run_converter(
            EvaluatedAutograde,
            graded_course,
            assignment="doubling",
            student="ann",
            evaluator=lambda *key: evaluate("bob"),
        )


def test_people_decide(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
) -> None:
    """A manual score and a comment outlive a new recording, which flags a score whose basis has changed."""
    folder = hand_in("ann", **{"doubling.ipynb": answers(triple="x")})
    record(graded_course, evaluate("ann"))
    with open_gradebook(graded_course) as gradebook:
        gradebook.find_grade("tripled", "doubling", "doubling", "ann").manual_score = 1.5
        gradebook.find_comment("triple", "doubling", "doubling", "ann").manual_comment = "Nearly."
        gradebook.db.commit()
    for triple, auto_score, flagged in (("x", 0.0, False), ("3 * x", 3.0, True), ("3 * x", 3.0, True)):
        (folder / "doubling.ipynb").write_text(answers(triple=triple))
        record(graded_course, evaluate("ann"))
        with open_gradebook(graded_course) as gradebook:
            grade = gradebook.find_grade("tripled", "doubling", "doubling", "ann")
            assert (grade.score, grade.auto_score, grade.needs_manual_grade) == (1.5, auto_score, flagged)
            assert gradebook.find_comment("triple", "doubling", "doubling", "ann").comment == "Nearly."


def test_no_response(graded_course: Course, hand_in: HandIn, evaluate: Evaluate) -> None:
    """An answer that was left as it was released is commented as such."""
    hand_in("ann", **{"doubling.ipynb": (graded_course.root / "release/doubling/doubling.ipynb").read_bytes()})
    record(graded_course, evaluate("ann"))
    with open_gradebook(graded_course) as gradebook:
        assert gradebook.find_comment("double", "doubling", "doubling", "ann").comment == "No response."


@pytest.mark.parametrize(("handed_in", "score"), [(None, 0.0), (b"no notebook", None)])
def test_answer_for_a_person(
    graded_course: Course, hand_in: HandIn, evaluate: Evaluate, handed_in: bytes | None, score: float | None
) -> None:
    """An answer that a person reads is worth nothing if it was left empty; one that cannot be found waits."""
    release = graded_course.root / "release/doubling/doubling.ipynb"
    document = json.loads(release.read_bytes())
    document["cells"].append(ESSAY)
    release.write_text(json.dumps(document))
    graded_course.gradebook.unlink()
    hand_in("ann", **{"doubling.ipynb": handed_in or release.read_bytes()})
    record(graded_course, evaluate("ann"))
    with open_gradebook(graded_course) as gradebook:
        grade = gradebook.find_grade("essay", "doubling", "doubling", "ann")
        assert (grade.auto_score, grade.needs_manual_grade) == (score, score is None)


def test_late_penalty(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
) -> None:
    """The course's late penalty is taken off, and the time of handing in is recorded."""
    with (graded_course.root / "nbgrader_config.py").open("a") as file:
        file.write("c.LateSubmissionPlugin.penalty_method = 'zero'\n")
    hand_in("ann", **{"doubling.ipynb": answers(), "timestamp.txt": "2026-01-02 00:00:00 UTC"})
    with open_gradebook(graded_course) as gradebook:
        gradebook.update_or_create_assignment("doubling", duedate="2026-01-01 00:00:00 UTC")
    record(graded_course, evaluate("ann"))
    (score,) = scores(graded_course)
    assert (score.score, score.late_penalty) == (0.0, 5.0)


def test_broken_timestamp(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
) -> None:
    """A timestamp that cannot be read costs nothing."""
    hand_in("ann", **{"doubling.ipynb": answers(), "timestamp.txt": b"\xff yesterday"})
    record(graded_course, evaluate("ann"))
    assert [score.score for score in scores(graded_course)] == [5.0]


def test_ledger(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
) -> None:
    """The ledger knows which evaluation the marks come from, and forgets it with the marks."""
    hand_in("ann", **{"doubling.ipynb": answers()})
    evaluation = evaluate("ann")
    ledger = NbgraderLedger(graded_course)
    assert ledger.recorded("doubling", "ann") is None
    ledger.record(evaluation)
    assert ledger.recorded("doubling", "ann") == evaluation.digest
    graded_course.gradebook.unlink()
    assert ledger.recorded("doubling", "ann") is None
    assert ledger.last("doubling", "ann") == evaluation.digest
    ledger.record(evaluation)
    assert ledger.recorded("doubling", "ann") == evaluation.digest


def test_evaluation_of_earlier_work_is_refused(
    graded_course: Course, hand_in: HandIn, answers: Answers, evaluate: Evaluate
) -> None:
    """What was handed in again since it was graded keeps the marks that it has, until it is graded again."""
    folder = hand_in("ann", **{"doubling.ipynb": answers(double="x")})
    earlier = evaluate("ann")
    (folder / "doubling.ipynb").write_text(answers())
    record(graded_course, evaluate("ann"))
    with pytest.raises(HostFault, match="handed in again"):
        record(graded_course, earlier)
    assert [score.score for score in scores(graded_course)] == [5.0]
    assert "def double" in autograded(graded_course, "ann")


def test_a_check_that_the_gradebook_does_not_know(
    graded_course: Course, hand_in: HandIn, answers: Answers, evaluate: Evaluate
) -> None:
    """A check that came with a later release is learned, or refused beside recorded marks; its points never vanish."""
    hand_in("ann", **{"doubling.ipynb": answers()})
    with open_gradebook(graded_course) as gradebook:
        notebook = gradebook.find_notebook("doubling", "doubling")
        gradebook.db.delete(next(cell for cell in notebook.grade_cells if cell.name == "tripled"))
        gradebook.db.commit()
    record(graded_course, evaluate("ann"))
    assert [(score.score, score.max_score) for score in scores(graded_course)] == [(5.0, 5.0)]

    with open_gradebook(graded_course) as gradebook:
        notebook = gradebook.find_notebook("doubling", "doubling")
        gradebook.db.delete(next(cell for cell in notebook.grade_cells if cell.name == "tripled"))
        gradebook.db.commit()
    hand_in("bob", **{"doubling.ipynb": answers()})
    with pytest.raises(CourseFault, match="other cells than are released now: tripled"):
        record(graded_course, evaluate("bob"))
    assert [score.student for score in scores(graded_course)] == ["ann"]


def test_a_check_that_is_released_no_more(
    graded_course: Course, hand_in: HandIn, answers: Answers, evaluate: Evaluate
) -> None:
    """Marks that stand for a check are not given up because a release from elsewhere has it no more."""
    hand_in("ann", **{"doubling.ipynb": answers()})
    record(graded_course, evaluate("ann"))
    for place in ("release", "source"):
        path = graded_course.root / place / "doubling/doubling.ipynb"
        document = json.loads(path.read_text())
        del document["cells"][-2:]
        path.write_text(json.dumps(document))
    (graded_course.root / "tests/doubling/test_tripled.py").unlink()
    hand_in("bob", **{"doubling.ipynb": (graded_course.root / "release/doubling/doubling.ipynb").read_bytes()})
    with pytest.raises(CourseFault, match="other cells than are released now: triple, tripled") as caught:
        record(graded_course, evaluate("bob"))
    assert "--force" in caught.value.remedy
    assert [(score.student, score.score) for score in scores(graded_course)] == [("ann", 5.0)]


def test_gradebook_that_cannot_be_written(
    graded_course: Course, hand_in: HandIn, answers: Answers, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that refuses is the host's fault, and the notebook of the marks that stand is back within the turn."""
    folder = hand_in("ann", **{"doubling.ipynb": answers()})
    record(graded_course, evaluate("ann"))
    before = autograded(graded_course, "ann")
    (folder / "doubling.ipynb").write_text(answers(double="x"))

    def refuse(*arguments: object, **options: object) -> None:
        raise OperationalError("UPDATE grade", {}, Exception("attempt to write a readonly database"))

    def settle_in_turn(self: EvaluatedAutograde, *, recorded: bool) -> None:
        with pytest.raises(BlockingIOError), (graded_course.root / ".autograder/writer.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        settle(self, recorded=recorded)

    settle = EvaluatedAutograde._settle
    with monkeypatch.context() as patch:
        patch.setattr(EvaluatedAutograde, "_settle", settle_in_turn)
        patch.setattr(Gradebook, "update_or_create_submission", refuse)
        with pytest.raises(HostFault, match="readonly database") as caught:
            record(graded_course, evaluate("ann"))
    assert "gradebook.db" in caught.value.remedy
    assert autograded(graded_course, "ann") == before
    assert not list((graded_course.root / ".autograder").glob("autograded-*"))
    record(graded_course, evaluate("ann"))
    assert [score.score for score in scores(graded_course)] == [3.0]


def test_interrupted(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A recording that is cut off after the marks or within the notebook counts as none, and is done again."""
    hand_in("ann", **{"doubling.ipynb": answers()})
    ledger, evaluation = NbgraderLedger(graded_course), evaluate("ann")

    def cut(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(EvaluatedAutograde, "write_single_notebook", cut)
        with pytest.raises(KeyboardInterrupt):
            ledger.record(evaluation)
    assert ledger.recorded("doubling", "ann") is None
    ledger.record(evaluation)
    notebook = graded_course.root / "autograded/ann/doubling/doubling.ipynb"
    whole = notebook.read_bytes()
    notebook.chmod(0o644)
    notebook.write_bytes(whole[: len(whole) // 2])
    assert ledger.recorded("doubling", "ann") is None
    ledger.record(evaluation)
    assert notebook.read_bytes() == whole
    assert [score.score for score in scores(graded_course)] == [5.0]


def test_what_changed_is_graded_anew(graded_course: Course, hand_in: HandIn, answers: Answers) -> None:
    """Without --force nbgrader skips what is unchanged; another hidden suite or time of hand-in it takes anew."""
    folder = hand_in("ann", **{"doubling.ipynb": answers(), "timestamp.txt": "2026-01-01 00:00:00 UTC"})
    calls = []

    def evaluator(*key: object) -> Evaluation:
        from reading import read_instead_of_run

        calls.append(key)
        evaluation: Evaluation = read_instead_of_run(*key)
        return evaluation

    def autograde() -> int:
        run_converter(EvaluatedAutograde, graded_course, assignment="doubling", force=False, evaluator=evaluator)
        return len(calls)

    assert [autograde(), autograde()] == [1, 1]
    (graded_course.root / "tests/doubling/test_numerics.py").write_text("def test_it(student):\n    'Now stricter.'\n")
    assert [autograde(), autograde()] == [2, 2]
    (folder / "timestamp.txt").write_text("2026-01-09 00:00:00 UTC")
    assert [autograde(), autograde()] == [3, 3]


def test_failing_host(graded_course: Course, hand_in: HandIn, answers: Answers) -> None:
    """A host that fails for one student leaves no row of that student's, and the others are graded."""
    for student in ("ann", "bob", "eve"):
        hand_in(student, **{"doubling.ipynb": answers()})

    def evaluator(course: Course, assignment: Assignment, submission: Submission) -> Evaluation:
        from reading import read_instead_of_run

        if submission.student == "bob":
            raise HostFault("No box can be started.", remedy="Install bubblewrap.")
        evaluation: Evaluation = read_instead_of_run(course, assignment, submission)
        return evaluation

    with pytest.raises(HostFault, match=r"No box can be started\."):
        run_converter(EvaluatedAutograde, graded_course, assignment="doubling", evaluator=evaluator)
    assert [(score.student, score.score) for score in scores(graded_course)] == [("ann", 5.0), ("eve", 5.0)]


def test_host_that_fails_in_one_check(
    graded_course: Course, hand_in: HandIn, answers: Answers, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evaluation in which the host failed is not recorded over marks that stand, by no way of grading."""
    folder = hand_in("ann", **{"doubling.ipynb": answers()})
    record(graded_course, evaluate("ann"))
    (folder / "doubling.ipynb").write_text(answers(double="x"))
    good = evaluate("ann")
    spoiled = replace(good.checks[0], tests=(replace(good.checks[0].tests[0], whose=HostFault.whose),))
    spoiled_evaluation = replace(good, checks=(spoiled, *good.checks[1:]))
    monkeypatch.setattr(obtaining, "evaluate", lambda *arguments, **options: (spoiled_evaluation, Details()))
    with pytest.raises(HostFault, match="failed while it was graded"):
        run_converter(EvaluatedAutograde, graded_course, assignment="doubling", evaluator=None)
    assert [score.score for score in scores(graded_course)] == [5.0]
    assert "def double" in autograded(graded_course, "ann")


def test_notebook_holds_our_report_alone(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
) -> None:
    """The autograded notebook has our report as escaped HTML, and no output or script that was handed in."""
    document = json.loads(answers(double="3  # while True"))
    forged = {"output_type": "stream", "name": "stdout", "text": "FORGED"}
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [forged]
    document["cells"].append({"cell_type": "raw", "metadata": {}, "source": "<script>RAW</script>"})
    hand_in("ann", **{"doubling.ipynb": json.dumps(document), "<b>.ipynb": "{}"})
    record(graded_course, evaluate("ann"))
    text = autograded(graded_course, "ann")
    notebook = json.loads(text)
    assert "FORGED" not in text
    assert not any(cell["cell_type"] == "raw" for cell in notebook["cells"])
    (check,) = [
        cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == "numerics"
    ]
    html = "".join(check["outputs"][0]["data"]["text/html"])
    assert "It is right &amp; good." in html
    assert "It gives &lt;b&gt;another&lt;/b&gt; number." in html
    summary = "".join(notebook["cells"][0]["outputs"][0]["data"]["text/plain"])
    assert "Limit: cell 3: This cell was stopped." in summary
    assert "2 notebooks were handed in" in summary


def test_files_in_the_way(graded_course: Course, hand_in: HandIn, answers: Answers, evaluate: Evaluate) -> None:
    """Files that the release brings are kept with the notebook, whatever was handed in under their names."""
    released = graded_course.root / "release/doubling"
    for name in ("checks/test_it.py", "data.csv"):
        (released / name).parent.mkdir(exist_ok=True)
        (released / name).write_text("released")
    hand_in("ann", **{"doubling.ipynb": answers(), "checks": "mine", "data.csv/mine": "mine", "own.csv": "mine"})
    record(graded_course, evaluate("ann"))
    folder = graded_course.root / "autograded/ann/doubling"
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == {
        "doubling.ipynb",
        "checks/test_it.py",
        "data.csv",
        "own.csv",
    }
    assert (folder / "data.csv").read_text() == "released"


def test_links_are_not_copied(
    graded_course: Course,
    hand_in: HandIn,
    answers: Answers,
    evaluate: Evaluate,
) -> None:
    """Files beside the notebook are kept with it; a link to a secret is not."""
    folder = hand_in("ann", **{"doubling.ipynb": answers(), "data.csv": "1"})
    (folder / "solution.csv").symlink_to(graded_course.root / "source/doubling/doubling.ipynb")
    record(graded_course, evaluate("ann"))
    kept = {path.name for path in (graded_course.root / "autograded/ann/doubling").iterdir()}
    assert kept == {"doubling.ipynb", "data.csv"}
