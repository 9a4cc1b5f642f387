"""What the grader hands to a kernel it starts: sockets, the key, limits and files, all as open descriptors.

No path of the host is shared with a box for it: the record is JSON in an anonymous file, the submission a tar archive
in another. A symbolic link is not followed and not handed over.
"""

from __future__ import annotations

import io
import json
import os
import stat
import tarfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from autograder.box.policy import Limits
from autograder.faults import LimitFault

READY, STARTED = b"ready", b"started"
"""What the zygote says when it has loaded, and when it has forked a box."""


@dataclass(frozen=True, slots=True)
class Handover:
    """All that the kernel's entry point is told.

    Attributes:
        agent: Import path of the agent's class, `module:Class`.
        namespace: Whether the class takes the namespace of the notebook.
        connection: Jupyter's connection information: key, ports, transport.
        sockets: By port, the descriptor of the listening socket.
        files: Descriptor of the tar archive of the submission's files.
        limits: Which of them become rlimits is `autograder.box.confine`'s business.
        user: Numeric user to become, or `None` to stay.
        scratch: The scratch folder.
        orphan: Whether to die with the process that started it, which bubblewrap sees to otherwise.
        filter: Descriptor of the program that filters system calls, or `None` without a sandbox.
    """

    agent: str
    namespace: bool
    connection: dict[str, Any]
    sockets: dict[int, int]
    files: int
    limits: Limits
    user: int | None
    scratch: Path
    orphan: bool
    filter: int | None = None

    @property
    def descriptors(self) -> tuple[int, ...]:
        """All descriptors that it names."""
        return (self.files, *self.sockets.values(), *([] if self.filter is None else [self.filter]))

    def moved(self, new: Mapping[int, int]) -> Self:
        """Returns the same with new numbers of its descriptors, as they have in another process."""
        sockets = {port: new[number] for port, number in self.sockets.items()}
        filter = None if self.filter is None else new[self.filter]
        return replace(self, files=new[self.files], sockets=sockets, filter=filter)

    def to_file(self) -> int:
        """Writes it into an anonymous file and returns the descriptor."""
        text = json.dumps({**asdict(self), "scratch": str(self.scratch)})
        return anonymous_file("handover", text.encode())

    @classmethod
    def from_file(cls, descriptor: int) -> Handover:
        """Reads what `to_file` wrote, and closes the descriptor."""
        raw = json.loads(read_anonymous(descriptor))
        raw["limits"] = Limits(**raw["limits"])
        raw["sockets"] = {int(port): number for port, number in raw["sockets"].items()}
        raw["scratch"] = Path(raw["scratch"])
        return cls(**raw)


def anonymous_file(name: str, data: bytes = b"") -> int:
    """Makes a file that has no path, holding `data`, and returns its descriptor."""
    descriptor = os.memfd_create(name)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    return descriptor


def read_anonymous(descriptor: int) -> bytes:
    """Returns all that an anonymous file holds, and closes the descriptor."""
    with open(descriptor, "rb") as file:
        file.seek(0)
        return file.read()


def pack(files: Mapping[str, Path], limits: Limits) -> bytes:
    """Packs regular files as a tar archive.

    Args:
        files: By the name that each has in the box, with `/`; what is no regular file or cannot be read is left out.
        limits: The files together must fit into the scratch folder.

    Raises:
        LimitFault: They do not fit.
    """
    buffer = io.BytesIO()
    left = limits.scratch_mb * 2**20
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, path in files.items():
            data = _read(path, left + 1)
            if data is None:
                continue
            left -= len(data)
            if left < 0:
                message = f"The submission's files are larger than the {limits.scratch_mb} MiB that fit into a box."
                raise LimitFault(message, cause="output", remedy="Hand in without large data files.")
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def unpack(descriptor: int, folder: Path) -> None:
    """Unpacks what `pack` made into a folder, and closes the descriptor."""
    filtered: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from 3.11.4 on
    with tarfile.open(fileobj=io.BytesIO(read_anonymous(descriptor)), mode="r:") as archive:
        archive.extractall(folder, **filtered)


def _read(path: Path, limit: int) -> bytes | None:
    """Reads a file up to a limit; returns `None` for a link, a pipe, and whatever else is no regular file to read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        return file.read(limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
