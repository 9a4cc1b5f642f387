"""A reference is loaded once for many submissions, and never an outdated one."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import Mock

from autograder.suite.setting import Setting


def test_reference_is_kept_from_one_run_to_the_next(tmp_path: Path) -> None:
    """Two submissions are judged by one module, which has measured its truth once."""
    (tmp_path / "reference.py").write_text("TRUTH = object()\n")

    first, second = (Setting(Mock()).reference(tmp_path) for _ in range(2))

    assert first.TRUTH is second.TRUTH


def test_changed_reference_is_loaded_anew(tmp_path: Path) -> None:
    """A reference that has changed, or has other data beside it, is loaded again."""
    file = tmp_path / "reference.py"
    file.write_text("TRUTH = 1\n")
    assert Setting(Mock()).reference(tmp_path).TRUTH == 1

    file.write_text("from pathlib import Path\nTRUTH = (Path(__file__).parent / 'data.txt').exists()\n")
    os.utime(file, ns=(1, 1))
    assert Setting(Mock()).reference(tmp_path).TRUTH is False

    (tmp_path / "data.txt").touch()
    assert Setting(Mock()).reference(tmp_path).TRUTH is True


def test_reference_that_answers_itself_is_loaded_anew(tmp_path: Path) -> None:
    """Where no kernel is asked each run has a reference of its own, since an agent works in its globals."""
    (tmp_path / "reference.py").write_text("TRUTH = object()\n")

    first, second = (Setting(None).reference(tmp_path) for _ in range(2))

    assert first.TRUTH is not second.TRUTH
