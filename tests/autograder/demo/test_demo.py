"""`make demo`: the sample class, and the way from hand-in to feedback."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.course.golden import Kind
from autograder.course.layout import Course
from autograder.gradebook.scores import scores
from demo import __main__ as demo
from demo.sample import HandIn, golden_assignments, hand_in, sample_class, surprises

ROOT = Path(__file__).parents[3]
COURSE = Course(ROOT)
CLASS = list(sample_class(COURSE))


def test_the_class_has_every_kind_of_ending() -> None:
    """At least 12 students hand in right, wrong, cheating and broken work, some of which never ends."""
    assert len({one.student for one in CLASS}) >= 12
    assert {one.case.kind for one in CLASS} == set(Kind)
    assert {"endless_cell", "wrong_no_cap", "broken_never_ends"} <= {one.case.name for one in CLASS}


def test_every_assignment_is_handed_in() -> None:
    """The sample class hands in every assignment that has golden submissions, for the checks that it has."""
    assert {one.assignment for one in CLASS} == golden_assignments(COURSE)
    for one in CLASS:
        assert set(one.case.expected) == {check.grade_id for check in COURSE.assignment(one.assignment).checks}


def test_nothing_handed_in_is_overwritten(tmp_path: Path) -> None:
    """What lies in a student's folder already is left as it is."""
    course = Course(demo._course_folder(tmp_path / "a course"))
    assert hand_in(course, CLASS[0])
    notebook = course.submitted(CLASS[0].assignment, CLASS[0].student) / CLASS[0].file
    notebook.write_text("changed")
    assert not hand_in(course, CLASS[0])
    assert notebook.read_text() == "changed"


def test_a_surprise_is_found(tmp_path: Path) -> None:
    """A submission without the marks that it must get is reported."""
    course = Course(demo._course_folder(tmp_path))
    assert list(surprises(course, CLASS[:1])) == [
        f"{CLASS[0].student}, {CLASS[0].assignment} ({CLASS[0].case.name}): there is no evaluation"
    ]


@pytest.mark.box
def test_from_hand_in_to_feedback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One command releases, hands in, grades and writes feedback; a second time it says what is done already."""
    chosen = [one for one in CLASS if one.case.name in ("right_infinite_change", "broken_no_notebook", "untouched")]

    def few(course: Course) -> Iterator[HandIn]:
        yield from (one for one in chosen if one.assignment == "newton_sqrt")

    monkeypatch.setattr(demo, "sample_class", few)
    demo.main(course=tmp_path)
    first = capsys.readouterr().out
    assert "3 submissions of 3 students written." in first
    assert "3 submissions: 3 graded." in first
    assert "got exactly what" in first
    marks = {score.student: (score.score, score.needs_person) for score in scores(Course(tmp_path))}
    assert marks == {"student-01": (10.0, False), "student-13": (0.0, True), "student-15": (0.0, False)}
    assert len(list(tmp_path.glob("feedback/*/newton_sqrt/newton_sqrt.html"))) == 3

    demo.main(course=tmp_path)
    second = capsys.readouterr().out
    assert "3 lay there already" in second
    assert "3 submissions: 3 skipped." in second
