"""A tiny course for every test that needs one: one assignment, `doubling`, in a folder of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autograder.course.layout import Assignment, Course

CellDict = dict[str, Any]

STUB = "def double(x):\n    raise NotImplementedError  # YOUR CODE HERE\n"
TRIPLE_STUB = "def triple(x):\n    raise NotImplementedError  # YOUR CODE HERE\n"


def make_cell(kind: str, source: str, *, grade_id: str = "", points: float | None = None, **flags: bool) -> CellDict:
    """Returns a notebook cell; `grade`, `solution` and `locked` are nbgrader's flags."""
    metadata: dict[str, Any] = {}
    if grade_id:
        metadata["nbgrader"] = {
            "grade_id": grade_id,
            "grade": flags.get("grade", False),
            "solution": flags.get("solution", False),
            "locked": flags.get("locked", False),
            "schema_version": 3,
            "task": False,
        }
        if points is not None:
            metadata["nbgrader"]["points"] = points
    cell: CellDict = {"cell_type": kind, "source": source, "metadata": metadata}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell


def make_notebook(cells: Sequence[CellDict]) -> dict[str, Any]:
    """Returns a notebook of format 4.5."""
    numbered = [{"id": f"c{number}", **cell} for number, cell in enumerate(cells)]
    kernel = {"name": "python3", "language": "python", "display_name": "Python 3"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": numbered}


def doubling_cells(double: str, triple: str) -> list[CellDict]:
    """Returns the cells of `doubling` with these answers."""
    return [
        make_cell("markdown", "# Doubling\n\nA short lesson on numbers that grow."),
        make_cell("code", "import math\n\nFACTOR = 2", grade_id="setup", locked=True),
        make_cell("code", double, grade_id="double", solution=True),
        make_cell("code", 'check("numerics")', grade_id="numerics", points=2, grade=True, locked=True),
        make_cell("code", triple, grade_id="triple", solution=True),
        make_cell("code", 'check("tripled")', grade_id="tripled", points=3, grade=True, locked=True),
    ]


@pytest.fixture(scope="session")
def written_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course folder with the source, the release and the hidden suites of `doubling`; to be copied, not changed."""
    root = tmp_path_factory.mktemp("course")
    solution = "def {}(x):\n    ### BEGIN SOLUTION\n    return {} * x\n    ### END SOLUTION\n"
    for place, answers in {
        "source": (solution.format("double", "FACTOR"), solution.format("triple", 3)),
        "release": (STUB, TRIPLE_STUB),
    }.items():
        folder = root / place / "doubling"
        folder.mkdir(parents=True)
        document = make_notebook(doubling_cells(*answers))
        (folder / "doubling.ipynb").write_text(json.dumps(document), encoding="utf-8")
    suite = root / "tests" / "doubling"
    suite.mkdir(parents=True)
    for grade_id in ("numerics", "tripled"):
        (suite / f"test_{grade_id}.py").write_text("def test_it(student):\n    '''It is right.'''\n", encoding="utf-8")
    return root


@pytest.fixture
def course(written_course: Path, tmp_path: Path) -> Course:
    """The tiny course in a folder of its own."""
    shutil.copytree(written_course, tmp_path, dirs_exist_ok=True)
    return Course(tmp_path)


@pytest.fixture
def doubling(course: Course) -> Assignment:
    """The assignment `doubling` of the tiny course."""
    return course.assignment("doubling")


@pytest.fixture
def hand_in(tmp_path: Path) -> Callable[..., Path]:
    """Hands in files for `doubling`; returns the folder of the student."""

    def write(student: str, **files: bytes | str) -> Path:
        folder = Course(tmp_path).submitted("doubling", student)
        folder.mkdir(parents=True)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write
