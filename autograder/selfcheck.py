"""`check("numerics")` runs the public checks of a grade cell on the live notebook and shows what came of them.

The same suite API as in the hidden checks, with both agents in this very process: nothing is sandboxed, since a student
runs their own code on their own machine.
"""

from __future__ import annotations

import sys
from collections.abc import MutableMapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from autograder.records import Outcome, TestResult
from autograder.wire import REASONS

FOLDER = "checks"
NO_FOLDER = f" There is no folder `{FOLDER}` beside this notebook: the course gave it out with it, so copy it here."
SIGNS = {Outcome.PASSED: "✓", Outcome.FAILED: "✗", Outcome.NOT_GRADABLE: "?"}
_UNANSWERED = REASONS["unanswered"][0].removeprefix("{who}")


@dataclass(frozen=True, slots=True)
class Line:
    """What is shown of one test.

    Attributes:
        sign: One of `SIGNS`.
        title: What the test asks for.
        message: What failed; may be empty.
        hint: What to try; may be empty.
    """

    sign: str
    title: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Report:
    """What is shown of a check.

    Attributes:
        headline: The result in one line.
        note: What every test would say, said once; may be empty.
        lines: One for every test; none when there is a note.
    """

    headline: str
    note: str = ""
    lines: tuple[Line, ...] = ()

    def as_text(self) -> str:
        """Returns the report as plain text."""
        shown = [f"{self.headline} {self.note}".strip()]
        for line in self.lines:
            shown.append(f"{line.sign} {line.title}")
            shown += [f"    {part}" for part in line.message.splitlines()]
            shown += [f"    Hint: {line.hint}"] if line.hint else []
        return "\n".join(shown)

    def as_html(self) -> str:
        """Returns the report as HTML; all that a student's code could have written is escaped."""
        from jinja2 import Environment

        template = files("autograder").joinpath("selfcheck.html.j2").read_text(encoding="utf-8")
        page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(template)
        return page.render(report=self)


def check(grade_id: str) -> None:
    """Runs the public checks of a grade cell on what the notebook defines now, and shows the result.

    Args:
        grade_id: Name of the check, as the grade cell gives it: `check("numerics")`.
    """
    try:
        report = public_check(grade_id, folder=Path.cwd() / FOLDER, namespace=_namespace())
    except Exception as error:  # a check never ends a student's cell with a traceback
        report = Report(f"The check {grade_id!r} could not be run ({type(error).__name__}). This is no fault of yours.")
    _show(report)


def public_check(grade_id: str, *, folder: Path, namespace: MutableMapping[str, Any]) -> Report:
    """Runs `test_<grade_id>.py` of a folder of public checks on a namespace.

    Args:
        grade_id: Name of the check.
        folder: The folder `checks` beside the notebook.
        namespace: What the notebook defines.
    """
    known = sorted(file.stem.removeprefix("test_") for file in folder.glob("test_*.py"))
    if grade_id not in known:
        there = f" There are: {', '.join(known)}." if known else NO_FOLDER
        return Report(f"There is no public check {grade_id!r} here.{there}")
    from autograder.agent.inprocess import InProcessLink
    from autograder.agent.replay import ReplayAgent
    from autograder.agent.student import StudentAgent
    from autograder.suite.asking import LinkPair
    from autograder.suite.run import run_suite

    with closing(StudentAgent(namespace)) as agent:
        links = LinkPair(InProcessLink(agent), InProcessLink(ReplayAgent()))
        run = run_suite(folder, links, grade_ids=[grade_id])
    return report_on(grade_id, run.results[grade_id])


def report_on(grade_id: str, tests: Sequence[TestResult]) -> Report:
    """Returns what to show of these tests."""
    passed = sum(test.outcome is Outcome.PASSED for test in tests)
    counted = f"{grade_id}: {passed} of {len(tests)} passed."
    said = {(test.message, test.hint) for test in tests}
    waiting = {test.message for test in tests if test.message.endswith(_UNANSWERED)}
    if not passed and waiting:
        return Report(f"{grade_id}:", note=" ".join(sorted(waiting)))
    if not passed and len(said) == 1:
        (message, hint), *_ = said
        return Report(counted, note=f"{message} Hint: {hint}" if hint else message)
    lines = tuple(Line(SIGNS[test.outcome], test.title, test.message, test.hint) for test in tests)
    return Report(f"{grade_id}: all passed." if passed == len(tests) else counted, lines=lines)


def _namespace() -> MutableMapping[str, Any]:
    """Returns what the notebook defines; outside of IPython, what the running script defines."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    return vars(sys.modules["__main__"]) if shell is None else shell.user_ns


def _show(report: Report) -> None:
    interactive = sys.modules.get("IPython")
    if interactive is None or interactive.get_ipython() is None:
        print(report.as_text())
        return
    from IPython.display import display

    display({"text/plain": report.as_text(), "text/html": report.as_html()}, raw=True)  # type: ignore[no-untyped-call]
