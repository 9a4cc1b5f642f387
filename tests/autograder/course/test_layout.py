"""A course folder is read as one consistent whole, or the author is told what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.course.layout import Course
from autograder.faults import CourseFault


def test_checks_follow_the_release(course: Course) -> None:
    """Checks come in the order of the release, with its points and their hidden files."""
    assignment = course.assignment("doubling")
    assert [(check.grade_id, check.max_points, check.suite.name) for check in assignment.checks] == [
        ("numerics", 2.0, "test_numerics.py"),
        ("tripled", 3.0, "test_tripled.py"),
    ]
    assert assignment.max_points == 5.0
    assert [cell.grade_id for cell in assignment.answers] == ["double", "triple"]


def test_missing_hidden_file(course: Course) -> None:
    """A grade cell without a hidden file is a fault of the course that names the file to write."""
    (course.root / "tests/doubling/test_tripled.py").unlink()
    with pytest.raises(CourseFault, match="tripled") as caught:
        course.assignment("doubling")
    assert caught.value.remedy.endswith("test_tripled.py")


def test_stray_hidden_file(course: Course) -> None:
    """A hidden file that no grade cell is paired with is a fault of the course, never skipped."""
    (course.root / "tests/doubling/test_tripeld.py").write_text("")
    with pytest.raises(CourseFault, match=r"test_tripeld\.py is paired with no grade cell"):
        course.assignment("doubling")


def test_not_released(course: Course) -> None:
    """An assignment that is only written yet names the command that releases it."""
    (course.root / "release/doubling/doubling.ipynb").unlink()
    with pytest.raises(CourseFault) as caught:
        course.assignment("doubling")
    assert caught.value.remedy == "Run: autograder release doubling"


def test_unknown_assignment(course: Course) -> None:
    """A name that does not exist is answered with those that do."""
    with pytest.raises(CourseFault) as caught:
        course.assignment("halving")
    assert "doubling" in caught.value.remedy


def test_strays(course: Course) -> None:
    """What was handed in under a misspelt assignment or without a folder is found; what is graded or hidden is not."""
    for name in ("ann/doubling/doubling.ipynb", "ann/.DS_Store", "class.csv"):
        (course.root / "submitted" / name).parent.mkdir(parents=True, exist_ok=True)
        (course.root / "submitted" / name).touch()
    assert course.strays() == ()
    strays = ("ann/dubling", "ann/doubling.ipynb", "bo.ipynb", "doubling/ann", "ill\nname/doubling")
    for name in strays:
        path = course.root / "submitted" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch() if name.endswith(".ipynb") else path.mkdir()
    assert {path.relative_to(course.root / "submitted").as_posix() for path in course.strays()} == set(strays)


@pytest.mark.parametrize("points", [0, -1, None, "many", float("nan")])
def test_worthless_check(course: Course, points: object) -> None:
    """A grade cell that is worth nothing cannot be graded."""
    path = course.root / "release/doubling/doubling.ipynb"
    document = json.loads(path.read_text())
    document["cells"][3]["metadata"]["nbgrader"]["points"] = points
    path.write_text(json.dumps(document))
    with pytest.raises(CourseFault, match=r"worth (0|-1)"):
        course.assignment("doubling")


def test_double_id(course: Course) -> None:
    """Two cells of a release with one grade_id are a fault of the course."""
    path = course.root / "release/doubling/doubling.ipynb"
    document = json.loads(path.read_text())
    document["cells"].append(document["cells"][3])
    path.write_text(json.dumps(document))
    with pytest.raises(CourseFault, match="two cells with the grade_id 'numerics'"):
        course.assignment("doubling")


def test_limits(course: Course) -> None:
    """An assignment may set limits of its own."""
    (course.root / "tests/doubling/assignment.toml").write_text("[limits]\ncell_s = 3\n")
    assert course.assignment("doubling").limits == {"cell_s": 3}


@pytest.mark.parametrize(
    "text", ["[limits]\ncell_s = -1", "[limits]\ncell_s = true", "[limit]\ncell_s = 1", "limits ="]
)
def test_malformed_limits(course: Course, text: str) -> None:
    """What cannot be a limit is a fault of the course that names the file."""
    (course.root / "tests/doubling/assignment.toml").write_text(text)
    with pytest.raises(CourseFault, match=r"assignment\.toml"):
        course.assignment("doubling")


def test_names_and_students(course: Course) -> None:
    """Assignments and students are found by their folders, whatever characters their names have."""
    for student in ("Zoë O'Hara [1]", "李 小龙", "a+b"):
        course.submitted("doubling", student).mkdir(parents=True)
    (course.root / "submitted" / "none").mkdir()
    for student in ("line\nbreak", "byte\udcff"):
        course.submitted("doubling", student).mkdir(parents=True)
    assert course.assignment_names() == ("doubling",)
    assert course.students("doubling") == ("Zoë O'Hara [1]", "a+b", "李 小龙")


def test_release_that_is_no_notebook(course: Course) -> None:
    """A release that cannot be read is a fault of the course."""
    path: Path = course.root / "release/doubling/doubling.ipynb"
    path.write_text("{}")
    with pytest.raises(CourseFault, match="no list of cells"):
        course.assignment("doubling")
