"""The files of a folder that counts: the author's release and suite, or what a student handed in beside the notebook.

A submitted folder is untrusted: links are never followed and special files never opened.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO

NOT_THE_STUDENTS = frozenset({"timestamp.txt", "submission_secret.txt"})
"""Files that nbgrader puts into a submitted folder; a mark does not depend on them."""

LEFTOVERS = frozenset({"__pycache__", ".ipynb_checkpoints", ".pytest_cache", ".DS_Store"})
"""Names that tools leave behind and that decide nothing."""

MAX_FILES = 1_000
"""Files of one submission; what is beyond is as if it had not been handed in."""

MAX_BYTES = 128 * 1024 * 1024
"""Bytes of one file that is handed in."""


def regular_files(folder: Path, *, skip: frozenset[str] = frozenset()) -> Iterator[tuple[str, Path]]:
    """Yields the regular files below a folder, in an order that is the same everywhere.

    Args:
        folder: Where to look; may be missing.
        skip: Names of files and folders directly in it that do not count.

    Yields:
        The name relative to the folder, with `/`, and the path.
    """
    count = 0
    for parent, folders, names in os.walk(folder, followlinks=False):
        inside = PurePosixPath(Path(parent).relative_to(folder).as_posix())
        outermost = inside == PurePosixPath(".")
        dropped = LEFTOVERS | skip if outermost else LEFTOVERS
        folders[:] = sorted(name for name in folders if name not in dropped)
        for name in sorted(names):
            path = Path(parent, name)
            if name in dropped or not stat.S_ISREG(path.lstat().st_mode):
                continue
            count += 1
            if count > MAX_FILES:
                return
            yield str(inside / name), path


def laid_over(over: Mapping[str, Path], under: Mapping[str, Path]) -> dict[str, Path]:
    """Returns the files of two folders as if one had been copied over the other.

    Args:
        over: The files of the one, by name; all are kept.
        under: Those of the other; what has the name of one of the first, or of a folder of theirs, or lies in a folder
            of the name of one, is left out.
    """
    folders = {str(folder) for name in over for folder in PurePosixPath(name).parents}
    free = {
        name: path
        for name, path in under.items()
        if name not in folders and over.keys().isdisjoint([name, *map(str, PurePosixPath(name).parents)])
    }
    return free | dict(over)


def file_digest(path: Path) -> bytes:
    """Returns the SHA-256 of a file that is not a link, of its first part alone if it is larger than any may be.

    Raises:
        OSError: It is missing, a link, or cannot be read.
    """
    whole = hashlib.sha256()
    with _open(path) as file:
        whole.update(os.fstat(file.fileno()).st_size.to_bytes(8, "big"))
        left = MAX_BYTES
        while left > 0 and (block := file.read(min(left, 1 << 20))):
            whole.update(block)
            left -= len(block)
    return whole.digest()


def read_bounded(path: Path, limit: int) -> bytes:
    """Reads a file that is not a link, at most one byte beyond the limit, so that what is too large is seen to be.

    Raises:
        OSError: It is missing, a link, or cannot be read.
    """
    with _open(path) as file:
        return file.read(limit + 1)


def _open(path: Path) -> BinaryIO:
    """Opens a regular file for reading: what is a link, or a pipe put in its place meanwhile, is refused."""
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path} is not a regular file")
    return file
