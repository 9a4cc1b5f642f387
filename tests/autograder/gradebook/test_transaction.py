"""All that is recorded of a student goes into one transaction, whatever else opens the gradebook meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from nbgrader.api import Gradebook, InvalidEntry
from nbgrader.preprocessors import latesubmissions, savecells

from autograder.course.handin import read_submission
from autograder.course.layout import Course
from autograder.faults import Fault
from autograder.gradebook.record import record
from autograder.gradebook.scores import scores
from autograder.gradebook.transaction import KeptGradebook, one_transaction

OWN_SETTINGS = "c = get_config()\nc.LateSubmissionPlugin.penalty_method = 'zero'\n"


def test_course_whose_settings_leave_nbgrader_as_it_is(
    graded_course: Course, hand_in: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marks and late penalties are recorded also where a course's own settings call nothing of ours."""
    from reading import read_instead_of_run

    release = (graded_course.root / "release/doubling/doubling.ipynb").read_text()
    answered = json.loads(release)
    answered["cells"][2]["source"] = "def double(x):\n    return 2 * x\n"
    hand_in("ann", **{"doubling.ipynb": json.dumps(answered), "timestamp.txt": "2026-01-02 00:00:00 UTC"})
    assignment = graded_course.assignment("doubling")
    submission = read_submission(graded_course.submitted("doubling", "ann"), assignment, student="ann")
    evaluation = read_instead_of_run(graded_course, assignment, submission)
    (graded_course.root / "nbgrader_config.py").write_text(OWN_SETTINGS, encoding="utf-8")
    graded_course.gradebook.unlink()
    for module in (latesubmissions, savecells):
        monkeypatch.setattr(module, "Gradebook", Gradebook)

    record(graded_course, evaluation)

    assert [score.score for score in scores(graded_course)] == [evaluation.score]


def test_step_that_was_undone_undoes_the_others(tmp_path: Path) -> None:
    """Where a step rolls back and its error is swallowed, nothing is written, which is said."""
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"

    def twice() -> None:
        with one_transaction(url):
            KeptGradebook(url).add_student("ann")
            with suppress(InvalidEntry):
                KeptGradebook(url).add_student("ann")

    with pytest.raises(Fault, match="undone"):
        twice()

    with KeptGradebook(url) as gradebook:
        assert gradebook.students == []
