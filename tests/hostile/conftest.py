"""What the hostile tier shares: the assignment, short limits, and a folder for temporary files that must stay empty."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.course.layout import Assignment
from tests.hostile.course import make_assignment

LIMITS = {"cell_s": 8, "request_s": 12, "notebook_s": 60, "memory_mb": 1536, "scratch_mb": 128}
"""Long enough for a right answer on a busy machine, short where the end of a limit is waited for."""


@pytest.fixture(scope="session")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    """The assignment that is handed in for, with short limits."""
    return replace(make_assignment(tmp_path_factory.mktemp("course")), limits=LIMITS)


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files of this test's own, with a path that is short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-", dir="/tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    shutil.rmtree(folder)
