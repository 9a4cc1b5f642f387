"""Where a suite asks: boxes, a live notebook, or its own reference in this very process."""

from __future__ import annotations

import importlib.util
from contextlib import ExitStack, closing
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from autograder.faults import CourseFault

if TYPE_CHECKING:
    from autograder.suite.asking import Asker, Links
    from autograder.suite.student import Student


class Setting:
    """What the fixtures of one pytest run give.

    Args:
        links: Where every suite of the run asks; `None` runs each against the `reference.py` beside it, in process.
    """

    def __init__(self, links: Links | None) -> None:
        self._links = links
        self._references: dict[Path, ModuleType] = {}
        self._askers: dict[Path, Asker] = {}
        self._deadline: float | None = None
        self._agents = ExitStack()

    def student(self, folder: Path) -> Student:
        """Returns what a suite in this folder sees as the student."""
        from autograder.suite.asking import Asker
        from autograder.suite.student import Student

        if folder not in self._askers:
            self._askers[folder] = Asker(self._links or self._model_answer(folder))
            self._askers[folder].deadline = self._deadline
        return Student(self._askers[folder])

    def reference(self, folder: Path) -> ModuleType:
        """Returns the `reference.py` of this folder, loaded by its path and under no name that others import.

        While grading it is loaded once for as long as the files beside it stay as they are, in whichever run.

        Raises:
            CourseFault: There is none, or it cannot be loaded.
        """
        if folder not in self._references:
            load = _load if self._links is None else _kept  # an agent in process works in the reference's own globals
            self._references[folder] = load(folder / "reference.py", _state_of(folder))
        return self._references[folder]

    def set_deadline(self, seconds: float | None) -> None:
        """Sets how long a request of the test that runs now may take; `None` leaves it to the link."""
        self._deadline = seconds
        for asker in self._askers.values():
            asker.deadline = seconds

    def close(self) -> None:
        """Ends what was started for references that were run in process."""
        self._agents.close()

    def _model_answer(self, folder: Path) -> Links:
        from autograder.agent.inprocess import InProcessLink
        from autograder.agent.replay import ReplayAgent
        from autograder.agent.student import StudentAgent
        from autograder.suite.asking import LinkPair

        agent = self._agents.enter_context(closing(StudentAgent(vars(self.reference(folder)))))
        return LinkPair(InProcessLink(agent), InProcessLink(ReplayAgent()))


SETTING = pytest.StashKey[Setting]()
"""Where `run_suite` leaves the setting for the fixtures."""


def _state_of(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Tells one state of the files in a folder from another."""
    files = (path for path in folder.iterdir() if path.is_file())
    return tuple(sorted((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files))


def _load(path: Path, state: object) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_reference_of_{path.parent.name}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise CourseFault("There is no `reference.py` beside the suite.", remedy=f"Write {path}.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CourseFault(f"The reference cannot be loaded: {type(error).__name__}.", detail=str(error)) from error
    return module


_kept = lru_cache(maxsize=32)(_load)
"""Measuring a truth may take seconds, and what JAX compiles for it stays in memory."""
