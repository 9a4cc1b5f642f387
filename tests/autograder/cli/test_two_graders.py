"""Two graders of one course at a time: neither stops the other, and nothing is half recorded."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.course.golden import load_case, notebook_bytes
from autograder.course.layout import Course

ROOT = Path(__file__).parents[3]
QUICK = "broken_no_notebook"
CASES = {"s1": QUICK, "s2": QUICK, "s3": "wrong_order", "s4": QUICK, "s5": QUICK, "s6": QUICK}


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course that was never graded, with a small class; most of it is quick to grade, so that writers meet."""
    course = Course(tmp_path)
    for place in ("source", "release", "tests"):
        leave = shutil.ignore_patterns("submissions")
        shutil.copytree(ROOT / place / "newton_sqrt", tmp_path / place / "newton_sqrt", ignore=leave)
    release = course.assignment("newton_sqrt").release
    for student, case in CASES.items():
        folder = course.submitted("newton_sqrt", student)
        folder.mkdir(parents=True)
        answer = load_case(ROOT / "tests" / "newton_sqrt" / "submissions" / case)
        (folder / "newton_sqrt.ipynb").write_bytes(notebook_bytes(answer, release))
    return course


def _grade(course: Course) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "autograder", "--course", str(course.root), "grade", "--json", "--workers", "1"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.box
def test_two_graders_at_once(course: Course) -> None:
    """Both end well, every student has whole marks once, and a third run finds nothing to do."""
    graders = [_grade(course), _grade(course)]
    for printed, errors in [grader.communicate() for grader in graders]:
        steps = [json.loads(line) for line in printed.splitlines()]
        assert sorted(step["student"] for step in steps) == sorted(CASES), errors
        assert {step["fault"] for step in steps} == {None}
        assert errors == ""
    with Gradebook(f"sqlite:///{course.gradebook}") as gradebook:
        submissions = gradebook.find_assignment("newton_sqrt").submissions
        assert sorted(submission.student.id for submission in submissions) == sorted(CASES)
        for submission in submissions:
            (notebook,) = submission.notebooks
            waits = CASES[submission.student.id] == QUICK
            assert [grade.auto_score is None for grade in notebook.grades] == [waits] * 4
            assert submission.score == (0.0 if waits else 4.0)
    assert len(list(course.root.glob("autograded/*/newton_sqrt/newton_sqrt.ipynb"))) == len(CASES)
    printed, errors = _grade(course).communicate()
    assert {json.loads(line)["why"] for line in printed.splitlines()} == {"up to date"}, errors
