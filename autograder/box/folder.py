"""A private folder holds the sockets of one box; it is locked while its grader lives, so that leftovers are known."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PREFIX = "autograder-box-"
_STALE_S = 60.0
_LONGEST = 80
"""A unix socket's path has at most 107 bytes."""


@dataclass(frozen=True, slots=True)
class PrivateFolder:
    """A folder that only the grader's user may enter.

    Attributes:
        path: Where it lies.
        lock: Descriptor of the folder, locked.
    """

    path: Path
    lock: int

    @classmethod
    def create(cls, prefix: str = PREFIX) -> PrivateFolder:
        """Makes a new one, with a name of its own."""
        path = Path(tempfile.mkdtemp(prefix=prefix, dir=_root()))
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return cls(path, lock)

    def fresh(self, name: str) -> Path:
        """Makes an empty folder inside."""
        shutil.rmtree(self.path / name, ignore_errors=True)
        (self.path / name).mkdir()
        return self.path / name

    def remove(self) -> None:
        """Removes it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


def sweep(prefix: str = PREFIX) -> None:
    """Removes the folders of graders that were killed."""
    for path in _root().glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime < _STALE_S:  # perhaps not locked yet
                continue
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)


def _root() -> Path:
    root = tempfile.gettempdir()
    return Path(root if len(os.fsencode(root)) < _LONGEST else "/tmp")
