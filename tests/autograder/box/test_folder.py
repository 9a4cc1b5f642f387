"""The private folder of a box is gone when the box is, or when the next grader sweeps."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from autograder.box import folder
from autograder.box.folder import PrivateFolder


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files of its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(folder, "_LONGEST", 1000)
    return tmp_path


def test_folder_is_private(temporary: Path) -> None:
    """Nobody but the grader may enter the folder, and it is gone once removed."""
    made = PrivateFolder.create()
    assert made.path.stat().st_mode & 0o077 == 0
    (made.fresh("scratch") / "file").touch()
    assert list(made.fresh("scratch").iterdir()) == []

    made.remove()

    assert list(temporary.iterdir()) == []


def test_sweep_takes_only_what_nobody_holds(temporary: Path) -> None:
    """A sweep removes old folders that no grader holds, and leaves those that are held, new or not ours."""
    held = PrivateFolder.create()
    abandoned, new, foreign = (temporary / name for name in (f"{folder.PREFIX}x", f"{folder.PREFIX}y", "other"))
    for path in (abandoned, new, foreign):
        path.mkdir()
    for path in (held.path, abandoned, foreign):
        os.utime(path, (0, 0))

    folder.sweep()

    assert sorted(temporary.iterdir()) == sorted([held.path, new, foreign])
    held.remove()


def test_long_temporary_folder_is_avoided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket's path must be short, so a long folder for temporary files is not used."""
    deep = tmp_path / ("x" * 90)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))

    made = PrivateFolder.create()

    assert made.path.parent == Path("/tmp")
    left = Path(tempfile.mkdtemp(prefix="autograder-test-", dir="/tmp"))
    os.utime(left, (0, 0))
    folder.sweep("autograder-test-")
    assert not left.exists()
    made.remove()
