"""Every golden submission gets exactly its expected outcomes, through real boxes."""

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course.golden import Case, differences, load_cases, notebook_bytes
from autograder.course.layout import Course, Submission
from autograder.evaluate import evaluate

ROOT = Path(__file__).parents[2]
CASES = [
    pytest.param(assignment, case, id=f"{assignment}-{case.name}")
    for assignment in sorted(path.name for path in (ROOT / "source").iterdir())
    for case in load_cases(ROOT / "tests" / assignment / "submissions")
]


LIMITS = {"cell_s": 8.0, "request_s": 8.0}
"""Tighter than a course's, so that what never ends does not take long; a right answer must do with them as well."""


@pytest.mark.box
@pytest.mark.parametrize(("assignment", "case"), CASES)
def test_golden_submission_gets_what_it_deserves(assignment: str, case: Case) -> None:
    """A golden submission is graded exactly as its `expect.toml` says."""
    course = Course(ROOT)
    paired = replace(course.assignment(assignment), limits=LIMITS)
    submission = Submission(student="golden", raw=notebook_bytes(case, paired.release), filename=f"{assignment}.ipynb")
    evaluation, details = evaluate(submission, paired)
    failures = "\n".join(f"{name}: {text}" for name, text in details.tests.items())
    assert not differences(case, evaluation.checks), f"{case.why}\n{failures}"


@pytest.mark.parametrize("assignment", sorted(path.name for path in (ROOT / "source").iterdir()))
def test_golden_submissions_are_of_every_kind(assignment: str) -> None:
    """An assignment has at least 6 right, 12 wrong, 6 cheating and 3 broken golden submissions."""
    kinds = [case.kind for case in load_cases(ROOT / "tests" / assignment / "submissions")]
    assert kinds.count("right") >= 6
    assert kinds.count("wrong") >= 12
    assert kinds.count("cheating") >= 6
    assert kinds.count("broken") >= 3
