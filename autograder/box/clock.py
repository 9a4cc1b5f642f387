"""A fair clock counts the time that the code in a box had, not the time for which a busy machine kept it waiting.

A second in which the box computes counts as the CPU time that it got of it; a second in which it waits for itself (a
sleep, a deadlock) counts whole. So no limit costs a mark because other work runs on the machine, and what only waits is
ended as soon as by a clock on the wall.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

PATIENCE = 5
"""Wall seconds for each second of a limit after which it is reached whatever was counted."""

_BUSY_SHARE = 0.05
"""Who gets less CPU time than this share of the wall time is waiting for something else than a core."""

_FIRST_S, _SLICE_S = 0.25, 1.0
"""Wall seconds between two readings; most requests end before the first, and cost none."""


class FairClock:
    """Counts from when it is made.

    Attributes:
        seconds: What was counted so far.

    Args:
        cpu_s: Tells the CPU seconds that the box has used.
        now: Tells the time of a clock on the wall, in seconds.
    """

    def __init__(self, cpu_s: Callable[[], float], *, now: Callable[[], float] = time.monotonic) -> None:
        self.seconds = 0.0
        self._cpu_s = cpu_s
        self._now = now
        self._began = self._at = now()
        self._cpu: float | None = None

    def late(self, limit_s: float) -> bool:
        """Whether a limit is reached."""
        return self.seconds >= limit_s or self._at - self._began >= PATIENCE * limit_s

    def pause(self, limit_s: float) -> float:
        """Wall seconds after which to read again: no longer than until the limit may be reached."""
        return min(_FIRST_S if self._cpu is None else _SLICE_S, max(0.01, limit_s - self.seconds))

    def read(self) -> None:
        """Counts what has passed since it was read before."""
        now, cpu = self._now(), self._cpu_s()
        passed, used = now - self._at, 0.0 if self._cpu is None else cpu - self._cpu
        self.seconds += used if _BUSY_SHARE * passed <= used < passed else passed
        self._at, self._cpu = now, cpu

    def stop(self) -> None:
        """Counts the rest by the wall, which costs nothing: the last slice is a short one."""
        now = self._now()
        self.seconds += now - self._at
        self._at = now


def cpu_seconds(descriptor: int) -> float:
    """Returns the CPU seconds of a process and all below it, their ended children included.

    Where the kernel does not tell, or the process has ended, that is 0: a fair clock then goes by the wall.

    Args:
        descriptor: Of the process, as `os.pidfd_open` makes it.
    """
    try:
        facts = Path(f"/proc/self/fdinfo/{descriptor}").read_text().split()
        return sum(map(_own_ticks, _below(int(facts[facts.index("Pid:") + 1])))) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, RecursionError):  # a chain of processes may be of any length
        return 0.0


def _below(pid: int) -> Iterator[int]:
    """Yields a process and all its descendants; in its own namespace of processes nobody else takes one over."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:  # the thread has ended
            continue
        for child in children:
            yield from _below(int(child))


def _own_ticks(pid: int) -> int:
    """Ticks of a process that is there, and of its children that are not any more."""
    try:
        return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
    except OSError:
        return 0
