"""Runs one command and measures all processes that it starts: wall time, CPU time, and the peak of their memory.

CPU time is read from a control group where one can be made (version 1 with `cpuacct`, or version 2): the kernel then
counts every process, however it ended. Elsewhere the command's own `wait4` is taken, which misses whoever is not waited
for; the result says which it was, and has no ratio of CPU time then.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SAMPLE_S = 1.0
"""Seconds between two looks at the memory."""

_LEAF = "measured"
_VERSION_1, _VERSION_2 = Path("/sys/fs/cgroup/cpuacct"), Path("/sys/fs/cgroup")


class Failed(Exception):
    """A command that is measured did not do what it should."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took.

    Attributes:
        wall_s: Seconds from its start to its end.
        cpu_s: CPU seconds of all its processes.
        peak_mb: Highest sum of the memory of all its processes in MiB, shared pages counted once (PSS).
        counted_by: `cgroup`, or `wait4`, which misses processes that nobody waited for.
    """

    wall_s: float
    cpu_s: float
    peak_mb: float
    counted_by: str


class CpuGroup:
    """A control group that counts CPU time; `folder` is `None` where none can be made.

    In version 2 processes are in a leaf of it, so that the groups of boxes are made beside that one, and are counted.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def join(self) -> None:
        """Puts the calling process into the group; its children follow. Safe between fork and exec."""
        if self.folder is not None:
            leaf = self.folder / _LEAF
            ((leaf if leaf.is_dir() else self.folder) / "cgroup.procs").write_text("0")

    def leave(self) -> None:
        """Takes the calling process out of the group, into the one around it."""
        if self.folder is not None:
            (self.folder.parent / "cgroup.procs").write_text("0")

    def cpu_s(self) -> float | None:
        """Returns the seconds that all processes in it have used, also those that ended."""
        if self.folder is None:
            return None
        usage = self.folder / "cpuacct.usage"
        if usage.exists():
            return int(usage.read_text()) / 1e9
        pairs = (line.split() for line in (self.folder / "cpu.stat").read_text().splitlines())
        return int(dict(pairs)["usage_usec"]) / 1e6


@contextmanager
def cpu_group() -> Iterator[CpuGroup]:
    """Makes a group, and removes it in the end; processes that are left in it are killed first."""
    folder = _made()
    try:
        yield CpuGroup(folder)
    finally:
        if folder is not None:
            _remove(folder)


def measure(argv: Sequence[str], folder: Path, *, variables: Mapping[str, str], allowed: Sequence[int] = (0,)) -> Cost:
    """Runs a command to its end.

    Args:
        argv: The command.
        folder: Where it runs.
        variables: Its environment variables, beside those of this process.
        allowed: Exit codes that mean that it worked.

    Raises:
        Failed: It ended with another code.
    """
    with cpu_group() as group:
        began = time.perf_counter()
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=_environment() | dict(variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=group.join,
        )
        watch = _Memory(process.pid)
        watch.start()
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.stop()
        if process.returncode not in allowed:
            raise Failed(f"{' '.join(argv)} ended with {process.returncode}:\n{said.decode(errors='replace')[-2000:]}")
        counted = group.cpu_s()
        cpu = used.ru_utime + used.ru_stime if counted is None else counted
        return Cost(wall, cpu, watch.peak_mb, "wait4" if counted is None else "cgroup")


def _environment() -> dict[str, str]:
    """Returns this process's variables, but none that would keep Python from finding what it compiled before."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class _Memory(threading.Thread):
    """Looks at the memory of a process and all below it, now and then."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.peak_mb = 0.0
        self._root = root
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.wait(SAMPLE_S):
            self.peak_mb = max(self.peak_mb, sum(map(_pss_mb, _family(self._root))))

    def stop(self) -> None:
        self._ended.set()
        self.join()


def _family(root: int) -> set[int]:
    """Returns a process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, waiting = set(), [root]
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting += children.get(pid, [])
    return found


def _pss_mb(pid: int) -> float:
    with suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


def _made() -> Path | None:
    first = _VERSION_1.is_dir()
    folder = (_VERSION_1 if first else _VERSION_2) / f"autograder-bench-{secrets.token_hex(4)}"
    try:
        folder.mkdir()
        if not first:
            (folder / "cgroup.subtree_control").write_text("+memory +pids")
            (folder / _LEAF).mkdir()
    except OSError:
        _remove(folder)
        return None
    return folder


def _remove(folder: Path) -> None:
    """Removes a group and those in it; whoever is left there is killed."""
    deadline = time.monotonic() + 5
    while folder.exists() and time.monotonic() < deadline:
        with suppress(OSError):
            for procs in folder.rglob("cgroup.procs"):
                for pid in procs.read_text().split():
                    os.kill(int(pid), 9)
            for inner in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
                inner.rmdir()
            folder.rmdir()
            return
        time.sleep(0.05)
