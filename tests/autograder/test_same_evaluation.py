"""The evaluation of a submission does not depend on how its boxes were started, nor on what is graded beside it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from autograder import serial
from autograder.batch.running import Evaluated, Job, local_pool, run
from autograder.box.policy import Start
from autograder.course.golden import load_case, load_cases, notebook_bytes
from autograder.course.layout import Course, Submission
from autograder.evaluate import evaluate

pytestmark = pytest.mark.box

ROOT = Path(__file__).parents[2]
QUICK = ("newton_sqrt/wrong_low_cap", "tax_switch/wrong_chain_of_cond", "jit_quiz/wrong_like_numpy")
SPARSE = 8
"""Every eighth golden submission is tried by the slow tier."""


def _sampled() -> list[str]:
    names = sorted(path.name for path in (ROOT / "source").iterdir())
    every = [f"{name}/{case.name}" for name in names for case in load_cases(ROOT / "tests" / name / "submissions")]
    return [case for case in every[::SPARSE] if case not in QUICK]


def _evaluated(job: Job, *, start: Start = "auto") -> Evaluated:
    """Evaluates a golden submission; the student of the job is the name of the case."""
    assignment = Course(ROOT).assignment(job.assignment)
    case = load_case(ROOT / "tests" / job.assignment / "submissions" / job.student)
    raw = notebook_bytes(case, assignment.release)
    submission = Submission(student="golden", raw=raw, filename=f"{job.assignment}.ipynb")
    return Evaluated(evaluate(submission, assignment, start=start)[0], {})


def _text(job: Job, *, start: Start) -> str:
    return serial.to_json(_evaluated(job, start=start).evaluation)


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(one, marks=pytest.mark.hostile) for one in _sampled())])
def test_warm_and_cold_boxes_give_the_same_evaluation(name: str) -> None:
    """The bytes of an evaluation are the same from warm boxes and from cold ones."""
    assignment, _, case = name.partition("/")
    job = Job(assignment, case)

    assert _text(job, start="warm") == _text(job, start="cold")


def test_evaluations_beside_each_other_are_the_same() -> None:
    """Workers that share a zygote come to the same bytes as an evaluation alone."""
    jobs = [Job(assignment, case) for assignment, _, case in (name.partition("/") for name in QUICK)]

    ended = list(run(jobs, _evaluated, pool=partial(local_pool, 2), workers=2))

    found = {one.job: one.evaluated and serial.to_json(one.evaluated.evaluation) for one in ended}
    assert found == {job: _text(job, start="auto") for job in jobs}
