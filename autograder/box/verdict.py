"""A verdict says why a box ended: one cause for machines, one sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from signal import SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGSYS, SIGTRAP, SIGXCPU, Signals
from typing import Literal

from autograder.box.policy import Limits

Cause = Literal["wall", "cpu", "memory", "output", "crash", "exit"]

_CRASHES = frozenset({SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGSYS, SIGTRAP})


_CPU_SHARE = 0.7
"""The kernel measures the limit in ticks of its clock, and tells the time used by another, finer one."""

_MEMORY_SHARE = 0.9
"""A group that hit its own limit of memory held about as much, at the peak."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a box ended.

    Attributes:
        cause: `wall`, `cpu`, `memory` or `output`: a limit; `crash`: a signal; `exit`: the code ended its own process.
        message: One sentence for the student and the staff.
    """

    cause: Cause
    message: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a box used in its life.

    Attributes:
        cpu_s: Seconds of CPU time of its processes, user and system.
        peak_mb: MiB of memory at the peak: of the whole box where a cgroup counted it, else of its largest process.
    """

    cpu_s: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class End:
    """How the process of a box ended, as the operating system tells it.

    Attributes:
        returncode: Exit status; a signal is negative, or 128 more than its number when bubblewrap reports it.
        usage: What it used.
        oom_kills: Processes of the box that the kernel killed for want of memory.
        group_mb: MiB of memory of the box's control group at the peak; `None` where there is none, or it does not tell.
        with_zygote: Whether the process ended from which it was forked, and it with that one; no code in it can do so.
    """

    returncode: int
    usage: Usage
    oom_kills: int = 0
    group_mb: float | None = None
    with_zygote: bool = False

    def of_host(self, limits: Limits) -> str:
        """Returns one sentence on what the host did, where it ended the box for a reason of its own; else nothing.

        The kernel counts every process of a group that it kills for want of memory, also where the group is far below
        its own limit and another one, or the whole machine, had no more.
        """
        if self.with_zygote:
            return "The process from which sandboxes are forked ended, and this sandbox with it."
        if self.oom_kills and self.group_mb is not None and self.group_mb < _MEMORY_SHARE * limits.memory_mb:
            return "This machine ran out of memory, and ended a sandbox that was within its limit."
        return ""

    @property
    def signal(self) -> int:
        """The number of the signal that ended it, or 0."""
        if self.returncode < 0:
            return -self.returncode
        return self.returncode - 128 if 128 < self.returncode < 128 + 65 else 0


def verdict_of(cause: Cause, limits: Limits) -> Verdict:
    """Words a limit that the grader itself enforced, by killing the box."""
    return Verdict(cause, _sentences(limits)[cause])


def judge(end: End, limits: Limits) -> Verdict:
    """Finds the cause of an end that the grader did not bring about."""
    if end.oom_kills:
        return verdict_of("memory", limits)
    used = end.usage.cpu_s >= _CPU_SHARE * limits.cpu_s
    if end.signal == SIGXCPU or (end.signal == SIGKILL and used):
        return verdict_of("cpu", limits)
    if end.signal in _CRASHES:
        name = Signals(end.signal).name
        return Verdict("crash", f"The Python process crashed ({name}) while it ran this code.")
    if end.signal:
        return Verdict("crash", f"The Python process was killed by signal {end.signal} while it ran this code.")
    return Verdict("exit", f"The code ended its own Python process (exit status {end.returncode}).")


def _sentences(limits: Limits) -> dict[Cause, str]:
    return {
        "wall": "The code did not come to an end in time, and did not stop when it was interrupted.",
        "cpu": f"The code used more than the {limits.cpu_s} seconds of CPU time that it may use.",
        "memory": f"The code needed more than the {limits.memory_mb} MiB of memory that it may use.",
        "output": f"The code sent more than the {limits.output_mb} MiB of output that it may send, "
        f"or a single message of more than {limits.message_mb} MiB.",
        "crash": "The Python process crashed while it ran this code.",
        "exit": "The code ended its own Python process.",
    }
