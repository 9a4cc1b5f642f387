"""Graders of one course take turns to write: to its gradebook, and to the folders that belong to it.

SQLite gives up on a database that is busy for some seconds, and knows nothing of the folders. So whoever writes holds a
lock file for that long, a fraction of a second for each submission. The kernel frees it when its holder ends, however
that comes about. On NFS, Linux passes such locks on to the server; where a file system has none, grading says so.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.course.layout import Course
from autograder.faults import HostFault

_REMEDY = "Keep the course in a folder that may be written to, on a file system with locks, such as NFS 4."


@contextmanager
def one_writer(course: Course) -> Iterator[None]:
    """Waits until no other grader writes for this course, and keeps the others waiting.

    Args:
        course: Whose gradebook and folders are written to. Not to be nested.

    Raises:
        HostFault: The folder cannot be written to, or its file system has no locks.
    """
    path = course.root / ".autograder" / "writer.lock"
    try:
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)  # NFS wants it open for writing
    except OSError as error:
        raise HostFault(f"{path} cannot be written: {error.strerror}.", remedy=_REMEDY) from error
    try:
        _lock(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as error:
        raise HostFault(f"{path} cannot be locked: {error.strerror}.", remedy=_REMEDY) from error
