"""The pytest plugin: marks, and the fixtures `student`, `reference` and `remark` for hidden suites and public checks.

Hooks only. For test files that use none of the fixtures it does nothing; what is heavy is imported when a fixture is
asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.suite.setting import SETTING, Setting

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from autograder.suite.student import Student

REMARK = "remark"
"""Name of the property of a test that holds what `remark` was given."""

MARKS = (
    "weight(x): share of the check's points, relative to the other tests of the file; 1 without the mark",
    "hint(text): what the student reads as advice when the test fails",
    "timeout(s): seconds that each request to the student's kernel or the replay box may take",
)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marks, and the setting of a suite that is run by plain pytest."""
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    config.stash.setdefault(SETTING, Setting(links=None))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the agents of references that were run in process."""
    config.stash[SETTING].close()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Sets the deadline of the test that starts."""
    mark = item.get_closest_marker("timeout")
    item.config.stash[SETTING].set_deadline(float(mark.args[0]) if mark and mark.args else None)


@pytest.fixture(scope="module")
def student(request: pytest.FixtureRequest) -> Student:
    """Gives what the student defined, or the reference's answers where the suite is run by plain pytest."""
    return request.config.stash[SETTING].student(request.path.parent)


@pytest.fixture(scope="module")
def reference(request: pytest.FixtureRequest) -> ModuleType:
    """Gives the assignment's `reference.py` as a module, loaded by its path."""
    return request.config.stash[SETTING].reference(request.path.parent)


@pytest.fixture
def remark(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Gives a function that says something to the student beside a test that passes: `remark("...")`."""

    def say(text: str) -> None:
        request.node.user_properties.append((REMARK, text))

    return say
