"""A release is the source without its secrets, the same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from autograder.course.layout import Course
from autograder.faults import CourseFault
from autograder.gradebook.autograde import EvaluatedAutograde
from autograder.gradebook.convert import run_converter
from autograder.gradebook.release import release, secrets_in_release


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes a notebook in place."""
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def test_release(course: Course) -> None:
    """A release has stubs for answers, the author's other files, and its points in the gradebook."""
    (course.root / "source/doubling/checks").mkdir()
    (course.root / "source/doubling/checks/test_numerics.py").write_text("def test_public(student): pass\n")
    released = release(course, "doubling")
    assert "FACTOR * x" not in released.release.read_text()
    assert all("NotImplementedError" in cell.source for cell in released.answers)
    assert (released.release.parent / "checks/test_numerics.py").is_file()
    assert list(secrets_in_release(released)) == []
    with Gradebook(f"sqlite:///{course.gradebook}") as gradebook:
        assert gradebook.find_assignment("doubling").max_score == 5.0


def test_same_bytes(course: Course) -> None:
    """Releasing twice gives the same bytes."""
    first = release(course, "doubling").release.read_bytes()
    assert release(course, "doubling").release.read_bytes() == first


def test_hidden_file(course: Course) -> None:
    """A hidden test file among the files of the source is a fault of the course."""
    (course.root / "tests/doubling/reference.py").write_text("SECRET = 1\n")
    (course.root / "source/doubling/model.py").write_text("SECRET = 1\n")
    with pytest.raises(CourseFault, match=r"model\.py is the hidden file reference\.py"):
        release(course, "doubling")


def test_cells_without_ids(course: Course) -> None:
    """Cells without an id would get random ones: a fault of the course with a remedy."""
    edit(course.root / "source/doubling/doubling.ipynb", lambda document: document["cells"][0].pop("id"))
    with pytest.raises(CourseFault, match="without an id") as caught:
        release(course, "doubling")
    assert "4.5" in caught.value.remedy


def test_nbgrader_refuses(course: Course) -> None:
    """What nbgrader refuses is a fault of the course, in nbgrader's words."""

    def spoil(document: dict[str, Any]) -> None:
        document["cells"][2]["source"] = "### BEGIN SOLUTION\nx = 1\n"

    edit(course.root / "source/doubling/doubling.ipynb", spoil)
    with pytest.raises(CourseFault, match="no end solution"):
        release(course, "doubling")


def test_a_failed_release_leaves_the_last_one(graded_course: Course, hand_in: Callable[..., Path]) -> None:
    """What students have stays where a new release is refused, be it by nbgrader or for a secret in it."""
    path = graded_course.root / "release/doubling/doubling.ipynb"
    before = path.read_bytes()
    hand_in("ann", **{"doubling.ipynb": before})
    run_converter(EvaluatedAutograde, graded_course, assignment="doubling")

    def shorten(document: dict[str, Any]) -> None:
        del document["cells"][-2:]

    source = graded_course.root / "source/doubling/doubling.ipynb"
    whole = source.read_bytes()
    edit(source, shorten)
    with pytest.raises(CourseFault, match="has recorded marks") as caught:
        release(graded_course, "doubling")
    assert "another name" in caught.value.remedy
    assert path.read_bytes() == before

    source.write_bytes(whole)
    (graded_course.root / "tests/doubling/reference.py").write_text("SECRET = 1\n")
    (source.parent / "model.py").write_text("SECRET = 1\n")
    with pytest.raises(CourseFault, match="must not be handed out"):
        release(graded_course, "doubling")
    assert path.read_bytes() == before
    assert not (path.parent / "model.py").exists()


def test_unknown(course: Course) -> None:
    """A name that does not exist is answered with those that do."""
    with pytest.raises(CourseFault) as caught:
        release(course, "halving")
    assert "doubling" in caught.value.remedy
