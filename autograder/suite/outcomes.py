"""An exception in a test becomes an outcome: whose fault it is, what the student may read of it, what the staff reads.

The text of a rewritten `assert` holds values, so the student reads only what an author or a fault says in words.
"""

from __future__ import annotations

import traceback
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import pytest

from autograder.faults import CourseFault, Fault, RaisedFault, StudentFault
from autograder.records import Outcome

MAX_MESSAGE = 1_000
MAX_HINT = 500
MAX_DETAIL = 20_000

UNSAID = "What this test asks for does not hold."
COULD_NOT = "This could not be checked: the check itself is at fault, not your work."


@dataclass(frozen=True, slots=True)
class Finding:
    """What an exception means for the test that raised it.

    Attributes:
        outcome: `failed` or `not_gradable`.
        whose: As in `TestResult`.
        message: For the student; bounded and clean.
        hint: For the student, from the fault itself; bounded and clean. `None` leaves it to the test's mark.
        detail: For the staff: the full text; bounded.
    """

    outcome: Outcome
    whose: str
    message: str
    hint: str | None = None
    detail: str = ""


def judge(error: BaseException, folder: Path) -> Finding:
    """Tells what an exception in a test of this suite folder means; what is not clearly a failure is not gradable."""
    trace = _from_suite_on(error.__traceback__, folder)
    detail = tidy("".join(traceback.format_exception(type(error), error, trace)), MAX_DETAIL)
    if isinstance(error, Fault):
        return _of_fault(error, detail)
    if isinstance(error, pytest.skip.Exception) or type(error).__name__ == "XFailed":
        return course(f"A test of a suite neither skips nor expects to fail.\n{detail}")
    files = _files(error.__traceback__)
    reference = folder / "reference.py"
    if isinstance(error, AssertionError) and reference not in files:
        if files and files[-1].parent == folder:
            return Finding(Outcome.FAILED, StudentFault.whose, said(str(error)), detail=detail)
        if any(parts[-2:] == ("numpy", "testing") for parts in (file.parents[1].parts for file in files[-1:])):
            return Finding(Outcome.FAILED, StudentFault.whose, UNSAID, detail=detail)
    failed_by_author = isinstance(error, pytest.fail.Exception) and any(file.parent == folder for file in files)
    if failed_by_author and reference not in files:
        return Finding(Outcome.FAILED, StudentFault.whose, said(str(error)), detail=detail)
    return course(detail)


def course(detail: str, *, message: str = COULD_NOT) -> Finding:
    """Returns the finding of a check that is itself at fault."""
    return Finding(Outcome.NOT_GRADABLE, CourseFault.whose, message, detail=tidy(detail, MAX_DETAIL))


def said(text: str) -> str:
    """Returns what the author of an assertion wrote: all before the line in which pytest begins to explain it."""
    lines = text.splitlines()
    explained = next((place for place, line in enumerate(lines) if line.lstrip().startswith("assert ")), len(lines))
    kept = "\n".join(line.removeprefix("  ") for line in lines[:explained])  # pytest indents all lines but the first
    return tidy(kept.strip(), MAX_MESSAGE) or UNSAID


def tidy(text: str, limit: int) -> str:
    """Returns a text without control characters, also those that turn the direction of writing, cut at a length."""
    kept = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return kept if len(kept) <= limit else kept[: limit - 3] + "..."


def worst(findings: Sequence[Finding]) -> Finding | None:
    """Returns the finding that decides a test: not gradable before failed, the earliest first."""
    blocked = [finding for finding in findings if finding.outcome is Outcome.NOT_GRADABLE]
    return next(iter([*blocked, *findings]), None)


def _of_fault(fault: Fault, detail: str) -> Finding:
    notes = "\n".join(part for part in (fault.remedy, fault.detail) if part)
    detail = tidy(f"{detail}\n{notes}", MAX_DETAIL)
    message = tidy(fault.message, MAX_MESSAGE) or UNSAID
    if isinstance(fault, StudentFault):
        unanswered = isinstance(fault, RaisedFault) and fault.reason == "unanswered"
        hint = tidy(fault.remedy, MAX_HINT) if fault.remedy or unanswered else None
        return Finding(Outcome.FAILED, fault.whose, message, hint, detail)
    return Finding(Outcome.NOT_GRADABLE, fault.whose, message, detail=detail)


def _from_suite_on(trace: TracebackType | None, folder: Path) -> TracebackType | None:
    """Returns a traceback without the frames of pytest that lead to the suite's own, if there is one of those."""
    step = trace
    while step is not None and _file(step).parent != folder:
        step = step.tb_next
    return step or trace


def _files(trace: TracebackType | None) -> list[Path]:
    """Returns the source files of a traceback, outermost first."""
    files: list[Path] = []
    while trace is not None:
        files.append(_file(trace))
        trace = trace.tb_next
    return files


def _file(step: TracebackType) -> Path:
    # not the code's file name: pytest's cache of rewritten tests keeps the one of another folder's run
    return Path(str(step.tb_frame.f_globals.get("__file__", "")))
