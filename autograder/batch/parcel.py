"""An assignment or a submission as bytes, for a worker that has no access to the course folder."""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from autograder.course.files import MAX_BYTES, NOT_THE_STUDENTS, read_bounded, regular_files
from autograder.course.layout import Assignment
from autograder.faults import HostFault

MAX_PARCEL = 64 * 1024 * 1024
"""Bytes of all files that are sent for one submission, or for one assignment."""


def pack_assignment(assignment: Assignment) -> bytes:
    """Returns the release, the hidden suite and the limits of an assignment, laid out as a course folder.

    Args:
        assignment: What to pack; its source and its golden submissions stay where they are.

    Raises:
        HostFault: A file cannot be read, or all of them are too large to be sent.
    """
    return _pack(_files_of(assignment))


def pack_submission(folder: Path) -> bytes:
    """Returns the files that were handed in.

    Args:
        folder: `submitted/<student>/<assignment>`.

    Raises:
        HostFault: A file cannot be read, or all of them are too large to be sent.
    """
    return _pack(regular_files(folder, skip=NOT_THE_STUDENTS))


def unpack(parcel: bytes, folder: Path) -> None:
    """Writes what was packed into an empty folder.

    Args:
        parcel: From a grader, and so not hostile; all the same nothing is written outside of the folder.
        folder: Where to write.

    Raises:
        ValueError: This is no parcel.
    """
    with tarfile.open(fileobj=io.BytesIO(zlib.decompress(parcel))) as archive:
        for member in archive:
            name, file = PurePosixPath(member.name), archive.extractfile(member)
            if file is None or name.is_absolute() or ".." in name.parts:
                raise ValueError(f"A parcel holds no {member.name!r}.")
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read())


def _files_of(assignment: Assignment) -> Iterator[tuple[str, Path]]:
    for name, path in regular_files(assignment.release.parent):
        yield f"release/{assignment.name}/{name}", path
    for name, path in regular_files(assignment.suite, skip=frozenset({"submissions"})):
        yield f"tests/{assignment.name}/{name}", path


def _pack(files: Iterable[tuple[str, Path]]) -> bytes:
    """Equal files give equal bytes: a tar archive keeps names of any bytes, and here neither times nor owners."""
    whole, size = io.BytesIO(), 0
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, path in files:
            try:
                content = read_bounded(path, MAX_BYTES)
            except OSError as error:
                raise HostFault(f"{path} cannot be read: {error.strerror}.") from error
            size += len(content)
            if size > MAX_PARCEL:
                message = f"The files beside {path} are more than {MAX_PARCEL // 2**20} MiB, too many to be sent."
                raise HostFault(message, remedy="Grade it on this machine, without --scheduler.")
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return zlib.compress(whole.getvalue(), level=1)
