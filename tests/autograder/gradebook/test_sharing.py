"""Whoever writes for a course takes a turn."""

from __future__ import annotations

import errno
import fcntl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autograder.course.layout import Course
from autograder.faults import HostFault
from autograder.gradebook.sharing import one_writer

HOLDER = """
import os, signal, sys
from pathlib import Path
from autograder.course.layout import Course
from autograder.gradebook.sharing import one_writer
with one_writer(Course(Path(sys.argv[1]))):
    print("writing", flush=True)
    signal.pause()
"""


def test_writers_wait_for_each_other(tmp_path: Path) -> None:
    """A second writer begins when the first one has ended, also where that is killed."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "writing\n"
        began = threading.Event()

        def write() -> None:
            with one_writer(Course(tmp_path)):
                began.set()

        waiting = threading.Thread(target=write)
        waiting.start()
        assert not began.wait(0.3)
        holder.kill()
        waiting.join()
        assert began.is_set()


def test_writers_of_two_courses_do_not_wait(tmp_path: Path) -> None:
    """Each course has turns of its own."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with one_writer(Course(tmp_path / "one")), one_writer(Course(tmp_path / "two")):
        pass


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a folder has no locks, or cannot be written to, that is the host's fault, said with what would do."""

    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(HostFault, match="cannot be locked: No locks available") as caught, one_writer(Course(tmp_path)):
        pass
    assert "file system with locks" in caught.value.remedy
    (tmp_path / "file").touch()
    with pytest.raises(HostFault, match="cannot be written"), one_writer(Course(tmp_path / "file")):
        pass
