"""Whatever a submission tries, it ends as the catalogue says, and leaves nothing behind."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.box import warm
from autograder.box.box import Box, CellRun
from autograder.box.policy import Policy
from autograder.course.layout import Assignment, Submission
from autograder.evaluate import evaluate
from tests.hostile.catalogue import Entry, entries
from tests.hostile.course import as_bytes
from tests.hostile.outcome import came
from tests.hostile.traces import traces

MEMORY_KIB = 200 * 1024
"""What the grader's memory may grow by."""


ENTRIES = [pytest.param(entry, id=entry.name, marks=() if entry.quick else pytest.mark.hostile) for entry in entries()]


@pytest.mark.box
@pytest.mark.parametrize("entry", ENTRIES)
def test_ends_as_it_must(
    entry: Entry,
    trial: Assignment,
    temporary: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    """Every check has the outcome of the catalogue, the cause of each limit is told, and nothing is left behind."""
    monkeypatch.setenv("PLANTED_BY_THE_GRADER", "secret")
    for name, text in entry.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    submission = Submission("eve", as_bytes(entry.document), "trial.ipynb", tmp_path)
    raised = errors(monkeypatch)
    warm.zygote_for(Policy())  # stays to the end of the grader
    before, memory = traces(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    evaluation, details = evaluate(submission, trial)

    record_property(entry.name, came(evaluation))
    told = f"{came(evaluation)}\n{evaluation.limits}\n{details.tests}"
    assert entry.kind != "cheat" or entry.sabotages or not raised, (
        f"{raised}: a cheat that fails in its own cell proves nothing"
    )
    others = [check.grade_id for check in evaluation.checks if check.outcome not in entry.checks[check.grade_id]]
    assert not others, told
    assert {limit.cause for limit in evaluation.limits} <= entry.causes - {""}, told
    assert evaluation.limits or "" in entry.causes, told
    assert evaluation.max_score == trial.max_points
    assert traces() == before
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < MEMORY_KIB


def errors(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns a list that gathers the errors of all cells that run from now on."""
    found: list[str] = []
    execute = Box.execute

    def executed(box: Box, code: str, *, timeout: float) -> CellRun:
        done = execute(box, code, timeout=timeout)
        found.extend([f"{done.ename}: {done.evalue}"] if done.ename else [])
        return done

    monkeypatch.setattr(Box, "execute", executed)
    return found
