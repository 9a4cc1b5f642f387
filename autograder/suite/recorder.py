"""Watches one pytest run and keeps, for every test, what the outcome is decided by."""

from __future__ import annotations

import inspect
import math
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from autograder.faults import StudentFault
from autograder.records import Outcome, TestResult
from autograder.suite.asking import Links
from autograder.suite.outcomes import MAX_HINT, MAX_MESSAGE, Finding, course, judge, tidy, worst
from autograder.suite.plugin import REMARK
from autograder.suite.setting import SETTING, Setting

PHASES = ["setup", "call", "teardown"]
MAX_NAME = 200

Judged = tuple[TestResult, Finding | None]


class Recorder:
    """A pytest plugin that gives the fixtures their links and records outcomes.

    Args:
        folder: The suite's folder as pytest sees it.
        links: Where the fixture `student` asks.

    Attributes:
        interrupted: A person ended the run.
    """

    def __init__(self, folder: Path, links: Links) -> None:
        self.interrupted = False
        self._folder = folder
        self._links = links
        self._items: list[pytest.Item] = []
        self._passed: defaultdict[str, list[str]] = defaultdict(list)
        self._findings: defaultdict[str, list[Finding]] = defaultdict(list)
        self._broken: defaultdict[str, list[str]] = defaultdict(list)
        self._ended = ""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Provides the links, and takes away what would print."""
        config.stash[SETTING] = Setting(self._links)
        config.pluginmanager.unregister(name="terminalreporter")

    def pytest_make_parametrize_id(self, argname: str) -> str:
        """Names a parameter by its argument, since its value may be hidden and a test's name is read by all."""
        return argname

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keeps why a file or a class of it cannot be collected."""
        if not report.passed:
            self._broken[report.nodeid.partition("::")[0]].append(str(report.longrepr))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Keeps the tests that are going to run."""
        self._items = list(session.items)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Judges one phase of a test."""
        report = yield
        if call.excinfo is not None:
            self._findings[item.nodeid].append(self._judged(call.excinfo.value, report.when))
        elif report.passed:
            self._passed[item.nodeid].append(report.when)
        return report

    def pytest_internalerror(self, excrepr: Any) -> bool:
        """Keeps an error of pytest or of a hook, and keeps it off the terminal."""
        self._ended = str(excrepr)
        return True

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Tells a person's interrupt from a test that calls `pytest.exit`."""
        self.interrupted = isinstance(excinfo.value, KeyboardInterrupt)
        self._ended = excinfo.exconly()

    def results(self, file: str) -> list[Judged]:
        """Returns what came of the tests of a file, in their order, and of the file itself if that is broken."""
        tests = [self._result(item) for item in self._items if item.path.name == file]
        return [*tests, *(as_a_whole(file, text) for text in self._broken[file])]

    def _judged(self, error: BaseException, when: str) -> Finding:
        finding = judge(error, self._folder)
        if when != "call" and finding.outcome is Outcome.FAILED and not isinstance(error, StudentFault):
            return course(finding.detail)
        return finding

    def _result(self, item: pytest.Item) -> Judged:
        weight, hint = _argument(item, "weight", 1.0), _argument(item, "hint", "")
        finding = worst(self._findings[item.nodeid])
        if finding is None and self._passed[item.nodeid] != PHASES:
            finding = course(f"The test did not run to its end. {self._ended}")
        if item.get_closest_marker("xfail") is not None:
            finding = course("A test of a suite does not expect to fail: remove its mark `xfail`.")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
            finding, weight = course(f"The weight of a test is a number greater than 0, not {weight!r}."), 1.0
        name = tidy(item.nodeid.partition("::")[2], MAX_NAME)
        title = _title(item)
        if finding is None:
            return TestResult(name, title, Outcome.PASSED, float(weight), _remark(item)), None
        if finding.outcome is not Outcome.FAILED:
            hint = ""
        elif finding.hint is not None:
            hint = finding.hint
        hint = tidy(str(hint), MAX_HINT)
        return TestResult(name, title, finding.outcome, float(weight), finding.message, hint, finding.whose), finding


def as_a_whole(file: str, why: str) -> Judged:
    """Returns the result of a check that has no proper tests."""
    finding = course(why)
    title = "The check as a whole"
    return TestResult(file, title, finding.outcome, 1.0, finding.message, "", finding.whose), finding


def _argument(item: pytest.Item, mark: str, default: Any) -> Any:
    found = item.get_closest_marker(mark)
    return found.args[0] if found is not None and found.args else default


def _remark(item: pytest.Item) -> str:
    """Returns what the test said beside passing, the last of it if it spoke more than once."""
    said = [value for key, value in item.user_properties if key == REMARK]
    return tidy(str(said[-1]), MAX_MESSAGE) if said else ""


def _title(item: pytest.Item) -> str:
    """Returns the first line of the test's docstring, `{id}` in it replaced; without one, the test's name as words."""
    doc = inspect.getdoc(getattr(item, "obj", None)) or ""
    first = doc.strip().partition("\n")[0].strip()
    if isinstance(item, pytest.Function) and hasattr(item, "callspec"):  # only a test that has parameters has one
        first = first.replace("{id}", item.callspec.id)
    return tidy(first or getattr(item, "originalname", item.name).removeprefix("test_").replace("_", " "), MAX_NAME)
