"""Runs the hidden suite of an assignment with pytest inside the grader, and turns what happened into test results.

A test passes only if its setup, call and teardown are all reported as passed; whatever is unclear is not gradable.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.records import TestResult
from autograder.suite import plugin
from autograder.suite.asking import Links
from autograder.suite.recorder import Recorder, as_a_whole

OPTIONS = (
    "--disable-plugin-autoload",
    *("--import-mode=importlib", "--noconftest", "-c", os.devnull),
    *("--strict-markers", "--continue-on-collection-errors", "--capture=sys", "--tb=native"),
    # a warning never fails a test, except for those of a test that could not fail
    *("-W", "ignore", "-W", "error::pytest.PytestReturnNotNoneWarning"),
    *("-W", "error::pytest.PytestAssertRewriteWarning", "-W", "error::pytest.PytestCollectionWarning"),
    # no cache folder; no process-wide hooks, which would be those of the run around this one
    *("-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:unraisableexception", "-p", "no:threadexception"),
    # a failing subtest does not fail its test, so that there are none
    *("-p", "no:subtests", "-p", "no:pastebin", "-p", "no:junitxml", "-p", "no:logging"),
    # of no use here, and each is loaded anew for every submission
    *("-p", "no:doctest", "-p", "no:setuponly", "-p", "no:setupplan", "-p", "no:stepwise", "-p", "no:legacypath"),
)
"""How pytest runs here: nothing of the tree around the suite decides, and nothing is left behind."""

_FOREIGN = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_CURRENT_TEST", "PYTEST_DEBUG")
_ONE_AT_A_TIME = threading.RLock()
"""Pytest changes `sys.modules`, `sys.stdout` and the warnings of the process, so runs take turns."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What came of a suite.

    Attributes:
        results: The tests of every check asked for, by grade_id, in the order of their file; never empty.
        details: For the staff: the full text of what failed, by `grade_id/test name`. It holds hidden values.
    """

    results: Mapping[str, tuple[TestResult, ...]]
    details: Mapping[str, str]


def run_suite(suite_dir: Path, links: Links, *, grade_ids: Sequence[str]) -> SuiteRun:
    """Runs `test_<grade_id>.py` of each check.

    Args:
        suite_dir: Folder of the suite, `tests/<assignment>`.
        links: Where its fixture `student` asks.
        grade_ids: The checks, in the order in which they are run.

    Returns:
        Results for every grade_id, also where the file is missing or cannot be collected.

    Raises:
        KeyboardInterrupt: The person at the terminal ended the run.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(_ONE_AT_A_TIME)
        folder = stack.enter_context(_readable(suite_dir.resolve()))
        recorder = Recorder(folder, links)
        files = [folder / f"test_{grade_id}.py" for grade_id in grade_ids]
        present = [str(file) for file in files if file.is_file()]
        if present:
            stack.enter_context(_apart([file.stem for file in files]))
            place = (f"--rootdir={folder}", f"--confcutdir={folder}")  # else pytest looks through all folders above
            pytest.main([*OPTIONS, *place, *present], plugins=[plugin, recorder])
    if recorder.interrupted:
        raise KeyboardInterrupt
    results: dict[str, tuple[TestResult, ...]] = {}
    details: dict[str, str] = {}
    for grade_id, file in zip(grade_ids, files, strict=True):
        judged = recorder.results(file.name) or [as_a_whole(file.name, f"{file.name} is missing, or holds no test.")]
        results[grade_id] = tuple(result for result, _ in judged)
        details |= {f"{grade_id}/{result.name}": finding.detail for result, finding in judged if finding}
    return SuiteRun(results, details)


@contextlib.contextmanager
def _readable(suite_dir: Path) -> Iterator[Path]:
    """Gives a path to a folder that pytest does not misread: `[` and `::` mean something in its arguments."""
    if "[" not in str(suite_dir) and "::" not in str(suite_dir):
        yield suite_dir
        return
    with tempfile.TemporaryDirectory(prefix="suite-") as scratch:
        folder = Path(scratch).resolve() / "suite"
        folder.symlink_to(suite_dir, target_is_directory=True)
        yield folder


@contextlib.contextmanager
def _apart(modules: Sequence[str]) -> Iterator[None]:
    """Keeps a run and the process around it apart: environment variables of pytest, and modules of test files."""
    variables = {name: os.environ.pop(name) for name in _FOREIGN if name in os.environ}
    loaded = {name: sys.modules.pop(name) for name in modules if name in sys.modules}
    try:
        yield
    finally:
        for name in modules:
            sys.modules.pop(name, None)
        sys.modules.update(loaded)
        os.environ.update(variables)
