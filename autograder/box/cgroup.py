"""A control group bounds memory and processes of a whole box, where the host lets the grader make one.

Versions 1 and 2 of cgroups are read the same way: a group is one folder in each hierarchy that bounds something. Where
no folder can be made (an ordinary user without delegation) the box has its rlimits alone, which count by process.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.box.policy import Limits

PREFIX = "autograder-"
_STALE_S = 60.0


@dataclass(frozen=True, slots=True)
class Cgroup:
    """One group: its folder in each hierarchy.

    Attributes:
        folders: One folder (version 2), or one for memory and one for processes (version 1).
    """

    folders: tuple[Path, ...]

    def add(self, pid: int) -> None:
        """Moves a process into the group; what it starts from then on is in the group too."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def oom_kills(self) -> int:
        """Counts the processes of the group that were killed for want of memory."""
        for folder in self.folders:
            for name in ("memory.events", "memory.oom_control"):
                if (folder / name).exists():
                    pairs = (line.split() for line in (folder / name).read_text().splitlines())
                    return sum(int(value) for key, value in pairs if key == "oom_kill")
        return 0

    def peak_mb(self) -> float | None:
        """Reads the highest memory use so far in MiB, or `None` where the kernel does not tell."""
        for folder in self.folders:
            for name in ("memory.peak", "memory.max_usage_in_bytes"):
                if (folder / name).exists():
                    return int((folder / name).read_text()) / 2**20
        return None

    def remove(self, *, patience_s: float = 2.0) -> None:
        """Removes the group once its processes are gone; the kernel lets go of them a moment after they ended."""
        deadline = time.monotonic() + patience_s
        for folder in self.folders:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > deadline:
                        break  # the next sweep takes it
                    time.sleep(0.01)


def create(limits: Limits) -> Cgroup | None:
    """Makes a group with these limits, or returns `None` where the host does not let the grader make one."""
    name = f"{PREFIX}{os.getpid()}-{secrets.token_hex(4)}"
    made: list[Path] = []
    try:
        for parent in parents():
            folder = parent / name
            folder.mkdir()
            made.append(folder)
            _limit(folder, limits)
    except OSError:
        Cgroup(tuple(made)).remove(patience_s=0)
        return None
    return Cgroup(tuple(made)) if made else None


def available() -> bool:
    """Tries whether a group can be made here."""
    group = create(Limits())
    if group is None:
        return False
    group.remove()
    return True


def sweep() -> None:
    """Removes empty groups that graders left which no longer run."""
    for parent in parents():
        for folder in parent.glob(f"{PREFIX}*"):
            pid = folder.name.removeprefix(PREFIX).partition("-")[0]
            with contextlib.suppress(OSError):
                if not Path("/proc", pid).exists() and time.time() - folder.stat().st_mtime > _STALE_S:
                    folder.rmdir()


def parents() -> tuple[Path, ...]:
    """Finds the folders beneath which a group is to be made: one for version 2, two for version 1, or none."""
    own = dict(_memberships())
    mounts = dict(_mounts())
    if "memory" in mounts and "pids" in mounts:
        found = [_writable(mounts[name], own.get(name, "/")) for name in ("memory", "pids")]
        return tuple(path for path in found if path) if all(found) else ()
    if "" in mounts:
        path = _delegated(mounts[""], own.get("", "/"))
        return (path,) if path else ()
    return ()


def _limit(folder: Path, limits: Limits) -> None:
    memory = str(limits.memory_mb * 2**20)
    settings = {
        "memory.max": memory,
        "memory.swap.max": "0",
        "memory.limit_in_bytes": memory,
        "memory.memsw.limit_in_bytes": memory,
        "pids.max": str(limits.processes),
    }
    for name, value in settings.items():
        if (folder / name).exists():
            (folder / name).write_text(value)


def _writable(mount: Path, own: str) -> Path | None:
    """The grader's own group, so that its limits hold for the box too; the root where a container hides its path."""
    for path in (mount / own.lstrip("/"), mount):
        if os.access(path / "cgroup.procs", os.W_OK):
            return path
    return None


def _delegated(mount: Path, own: str) -> Path | None:
    """The nearest group upward whose children can be bounded and that the grader may write to."""
    path = mount / own.lstrip("/")
    for folder in (path, *path.parents):
        control = folder / "cgroup.subtree_control"
        usable = control.exists() and all(os.access(each, os.W_OK) for each in (folder, folder / "cgroup.procs"))
        if usable and {"memory", "pids"} <= set(control.read_text().split()):
            return folder
        if folder == mount:
            return None
    return None


def _memberships() -> Iterator[tuple[str, str]]:
    """Yields the controller and the path of each group that this process is in; the controller of version 2 is ""."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            yield controller, path


def _mounts() -> Iterator[tuple[str, Path]]:
    """Yields the controller and the mount point of each hierarchy."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, point, kind, options, *_ = line.split()
        if kind == "cgroup2":
            yield "", Path(point)
        elif kind == "cgroup":
            for option in options.split(","):
                yield option, Path(point)
