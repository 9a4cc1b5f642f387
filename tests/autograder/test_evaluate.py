"""One submission is evaluated from the bytes that were handed in, beside the files that the course gives out."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import evaluate as evaluating
from autograder.course.handin import read_submission
from autograder.course.intake import Intake, intake
from autograder.course.layout import Assignment, Course, Submission
from autograder.evaluate import evaluate
from autograder.faults import CourseFault, HostFault
from autograder.records import Outcome

SUITE = '''
def test_it(student):
    """The data are read."""
    assert student.value("found") == ["released", "own", False, False]
'''
READS = """
import os
from pathlib import Path
there = [os.path.exists(name) for name in ("timestamp.txt", "checks")]
found = [Path("data/given.csv").read_text(), Path("own.csv").read_text(), *there]
"""


@pytest.mark.box
def test_files_of_the_release_are_there(course: Course, hand_in: Callable[..., Path]) -> None:
    """A notebook finds the data that were released, even if a student's copy is changed, its own, and no checks."""
    (course.root / "tests/doubling/test_numerics.py").write_text(SUITE)
    given = course.root / "release/doubling/data/given.csv"
    given.parent.mkdir()
    given.write_text("released")
    (given.parents[1] / "checks").mkdir()
    (given.parents[1] / "checks/test_numerics.py").touch()
    document = json.loads((course.root / "release/doubling/doubling.ipynb").read_bytes())
    document["cells"][2]["source"] = READS
    others = {"data/given.csv": "changed", "own.csv": "own", "timestamp.txt": "2026-01-01", "checks/x": ""}
    folder = hand_in("ann", **{"doubling.ipynb": json.dumps(document), **others})
    assignment = course.assignment("doubling")
    evaluation, _ = evaluate(read_submission(folder, assignment, student="ann"), assignment)
    assert evaluation.checks[0].outcome is Outcome.PASSED


@pytest.mark.parametrize("changed", ["tests/doubling/test_numerics.py", "submitted/doubling/ann/data.csv"])
def test_what_changes_meanwhile_is_graded_anew(
    course: Course, hand_in: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    """A result of files that were changed while it was made is no result of either state of them."""
    folder = hand_in("ann", **{"doubling.ipynb": "no notebook", "data.csv": "1"})
    place = folder / "data.csv" if changed.startswith("submitted") else course.root / changed

    def slow_intake(submission: Submission, assignment: Assignment) -> Intake:
        place.write_text("def test_it(student):\n    'Another.'\n")
        return intake(submission, assignment)

    monkeypatch.setattr(evaluating, "intake", slow_intake)
    assignment = course.assignment("doubling")
    with pytest.raises(HostFault, match="changed while it was graded"):
        evaluate(read_submission(folder, assignment, student="ann"), assignment)


def test_released_files_that_do_not_fit_are_the_course_s(course: Course, hand_in: Callable[..., Path]) -> None:
    """Files of the course that no box can hold are a fault of the course's, and nobody's zero."""
    (course.root / "release/doubling/large.bin").write_bytes(bytes(2 << 20))
    (course.root / "tests/doubling/assignment.toml").write_text("[limits]\nscratch_mb = 1\n")
    folder = hand_in("ann", **{"doubling.ipynb": (course.root / "release/doubling/doubling.ipynb").read_bytes()})
    assignment = course.assignment("doubling")
    with pytest.raises(CourseFault, match="larger than the 1 MiB"):
        evaluate(read_submission(folder, assignment, student="ann"), assignment)


def test_what_is_no_notebook_needs_no_box(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be repaired waits for a person, on a machine without bubblewrap too."""
    monkeypatch.setenv("PATH", "")
    evaluation, _ = evaluate(Submission("ann", b"no notebook"), course.assignment("doubling"))
    assert [check.outcome for check in evaluation.checks] == [Outcome.NOT_GRADABLE] * 2
    assert evaluation.reason
