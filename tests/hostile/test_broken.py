"""Broken submissions and unusual names go through the real commands: every one is graded or waits for a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.gradebook.scores import scores
from autograder.records import Evaluation, Status
from tests.hostile.broken import Broken, broken
from tests.hostile.commands import run, stored
from tests.hostile.course import RIGHT, as_bytes, make_course, notebook
from tests.hostile.outcome import came

NAMES = ["a b", 'O\'Hara "q"', "[a-z]*", "a+b", "Zoë Ærø", "李小龍", "-x", "%2e%2e $HOME `id`", "{0} #1 & <b>"]
"""Ids of students that are awkward for shells, patterns, web pages and file systems."""

ASSIGNMENT = "Übung 1 [a] 'b' \"c\" + 李"


@pytest.mark.box
@pytest.mark.hostile
def test_every_broken_submission_ends_well(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    """Each ends with its status and its repairs, no matter what lies beside it, alike by our command and nbgrader's."""
    course = make_course(tmp_path / "Kurs [1] 'ü' + 学")
    wanted = {each.name: each for each in broken()}
    for each in wanted.values():
        folder = course.submitted("trial", each.name)
        folder.mkdir(parents=True)
        for name, data in each.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)

    run(course, "autograder", "grade", ending=(0, 3))
    evaluations = stored(course)
    ours = {score.student: (score.score, score.max_score, score.needs_person) for score in scores(course)}
    (course.gradebook).unlink()
    run(course, "nbgrader", "autograde", "trial")
    run(course, "nbgrader", "generate_feedback", "trial")

    assert ours == {score.student: (score.score, score.max_score, score.needs_person) for score in scores(course)}
    assert set(evaluations) == set(wanted)
    assert len(list(course.root.glob("feedback/*/trial/trial.html"))) == len(wanted)
    for name, evaluation in evaluations.items():
        record_property(name, came(evaluation))
    problems = [line for name, each in wanted.items() for line in differences(each, evaluations[name])]
    assert not problems, "\n".join(problems)


@pytest.mark.box
@pytest.mark.hostile
def test_any_name_will_do(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    """Names with spaces, quotes, brackets, plus signs, accents and Chinese characters are graded like any other."""
    course = make_course(tmp_path / "a b'c\"d [e] + é 学", name=ASSIGNMENT)
    right = as_bytes(notebook(RIGHT))
    for name in NAMES:
        folder = course.submitted(ASSIGNMENT, name)
        folder.mkdir(parents=True)
        (folder / f"{ASSIGNMENT}.ipynb").write_bytes(right)

    run(course, "autograder", "grade")
    run(course, "autograder", "feedback")

    assert {score.student: score.score for score in scores(course)} == dict.fromkeys(NAMES, 6.0)
    assert {path.parts[-3] for path in course.root.glob("feedback/*/*/*.html")} == set(NAMES)
    record_property("names", f"{len(NAMES)} students, 6 of 6 each")


def differences(wanted: Broken, evaluation: Evaluation) -> list[str]:
    """Names each way in which an evaluation is not what was wanted."""
    kinds = {repair.kind for repair in evaluation.repairs}
    told = f"{wanted.name}: {evaluation.status}, {sorted(kinds)}, {came(evaluation)}"
    failed = {check.grade_id: str(check.outcome) for check in evaluation.checks if check.outcome != "passed"}
    graded = evaluation.status is not Status.NOT_GRADABLE
    agrees = (
        evaluation.status is wanted.status
        and evaluation.max_score == 6
        and bool(evaluation.reason) is not graded
        and (not graded or (kinds == wanted.repairs and failed == (wanted.checks or {})))
    )
    return [] if agrees else [told]
