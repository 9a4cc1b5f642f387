"""What a worker of a cluster does with a job, without a cluster around it."""

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import serial
from autograder.batch import remote
from autograder.batch.parcel import MAX_PARCEL, pack_assignment, pack_submission, unpack
from autograder.batch.planning import parts_of
from autograder.course.handin import read_submission
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import Details, environment
from autograder.faults import CourseFault, HostFault
from autograder.records import CheckResult, Environment, Evaluation, Outcome, Status, TestResult

HandIn = Callable[..., Path]
HERE = environment()
NAMES = {"doubling.ipynb": "{}", "data/zoë [1] 李.csv": "1", os.fsdecode(b"\xff bytes"): "2"}


def _evaluated(submission: Submission, assignment: Assignment, *, sandbox: str) -> tuple[Evaluation, Details]:
    """Stands in for grading."""
    if b"broken suite" in submission.raw:
        raise CourseFault("The suite is broken.", remedy="Mend it.")
    key = parts_of(submission, assignment, sandbox="bubblewrap").key
    check = CheckResult("numerics", Outcome.PASSED, 2.0, 2.0, (TestResult("t", "It is.", Outcome.PASSED, 1.0),))
    made = environment()
    fields = (assignment.name, submission.student, Status.GRADED, "", 2.0, 2.0, (), (check,), (), (), made, key)
    return Evaluation(*fields), Details(usage={"run_s": 1.0})


@pytest.fixture
def order(course: Course, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, object]]:
    """Sends a student's submission as bytes to what a worker runs, and returns the answer."""
    monkeypatch.setattr(remote, "evaluate", _evaluated)

    def send(student: str, *, environment: Environment = HERE, **parts: str) -> dict[str, object]:
        assignment, folder = course.assignment("doubling"), course.submitted("doubling", student)
        submission = read_submission(folder, assignment, student=student)
        expected = dataclasses.replace(parts_of(submission, assignment, sandbox="bubblewrap"), **parts)
        order = {
            "assignment": "doubling",
            "student": student,
            "sandbox": "bubblewrap",
            "parts": dataclasses.asdict(expected),
            "environment": dataclasses.asdict(environment),
        }
        bytes_ = pack_assignment(assignment), pack_submission(folder)
        answer: dict[str, object] = json.loads(remote.evaluate_parcel(*bytes_, json.dumps(order)))
        return answer

    return send


def test_parcels_keep_every_name_and_byte(course: Course, hand_in: HandIn, tmp_path: Path) -> None:
    """What is unpacked decides the very same evaluation, whatever its files are called; equal files are equal bytes."""
    folder = hand_in("ann", **NAMES)
    (folder / "link").symlink_to("/etc/passwd")
    assignment = course.assignment("doubling")
    parcels = pack_assignment(assignment), pack_submission(folder)
    assert parcels == (pack_assignment(assignment), pack_submission(folder))
    there, work = tmp_path / "there", tmp_path / "work"
    unpack(parcels[0], there)
    unpack(parcels[1], work)
    sent = Course(there).assignment("doubling")
    assert not (work / "link").is_symlink()
    before = parts_of(read_submission(folder, assignment, student="ann"), assignment, sandbox="bubblewrap")
    assert parts_of(read_submission(work, sent, student="ann"), sent, sandbox="bubblewrap") == before


def test_golden_submissions_are_not_sent(course: Course) -> None:
    """A worker gets the hidden suite, and neither golden submissions nor solutions."""
    secret = course.root / "tests" / "doubling" / "submissions" / "right" / "solution.py"
    secret.parent.mkdir(parents=True)
    before = pack_assignment(course.assignment("doubling"))
    secret.write_text("x = 1")
    assert pack_assignment(course.assignment("doubling")) == before


def test_what_is_too_large_to_be_sent(course: Course, hand_in: HandIn) -> None:
    """More than a parcel holds is the host's fault, with the way around it, and not the student's."""
    folder = hand_in("ann", **{"doubling.ipynb": "{}"})
    for name in ("a.bin", "b.bin"):
        with (folder / name).open("wb") as file:
            file.truncate(MAX_PARCEL // 2 + 1)
    with pytest.raises(HostFault, match="too many to be sent") as caught:
        pack_submission(folder)
    assert "without --scheduler" in caught.value.remedy


def test_nothing_is_written_outside(tmp_path: Path) -> None:
    """A parcel with a name that leads out of its folder is refused."""
    import io
    import tarfile
    import zlib

    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("../out"), io.BytesIO())
    with pytest.raises(ValueError, match="out"):
        unpack(zlib.compress(whole.getvalue()), tmp_path / "in")
    assert not (tmp_path / "out").exists()


def test_a_worker_answers_with_the_evaluation(order: Callable[..., dict[str, object]], hand_in: HandIn) -> None:
    """The answer is the evaluation as text of its schema, and what it cost."""
    hand_in("ann", **NAMES)
    answer = order("ann")
    evaluation = serial.from_json(str(answer["evaluation"]))
    assert (evaluation.student, evaluation.score, answer["usage"]) == ("ann", 2.0, {"run_s": 1.0})


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"environment": dataclasses.replace(HERE, jax="0.1", jaxlib="0.1")}, "JAX 0.1 -> "),
        ({"program": "another"}, "the grader itself changed"),
        ({"suite": "another"}, "the suite changed"),
    ],
)
def test_another_environment_is_refused(
    order: Callable[..., dict[str, object]], hand_in: HandIn, other: dict[str, object], said: str
) -> None:
    """A worker with other versions, another copy of the grader or other files refuses, as the host's fault."""
    hand_in("ann", **{"doubling.ipynb": "{}"})
    answer = order("ann", **other)
    trouble = answer["trouble"]
    assert isinstance(trouble, dict)
    assert trouble["whose"] == "the host"
    assert said in trouble["message"]


def test_a_fault_of_the_course_stays_one(order: Callable[..., dict[str, object]], hand_in: HandIn) -> None:
    """What was at fault on a worker is told with whose it is and what to do."""
    hand_in("ann", **{"doubling.ipynb": "broken suite"})
    trouble = order("ann")["trouble"]
    assert isinstance(trouble, dict)
    assert [trouble[name] for name in ("whose", "message", "remedy")] == [
        "the course",
        "The suite is broken.",
        "Mend it.",
    ]


def test_an_assignment_is_unpacked_once_and_removed(course: Course) -> None:
    """A worker unpacks an assignment once, for its own account alone, and removes it when it is no longer needed."""
    parcel = pack_assignment(course.assignment("doubling"))
    folder = remote.unpacked(parcel).course.root
    assert remote.unpacked(parcel).course.root == folder
    assert folder.stat().st_mode & 0o777 == 0o700
    remote.forget()
    assert not folder.exists()
