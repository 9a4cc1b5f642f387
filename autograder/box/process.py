"""The process of a box, and the choice of how it is started: forked from a warm zygote, or cold by bubblewrap.

Both ways enforce the same policy, and give the same results; the warm one is quicker. Where a host does not let it work
boxes start cold; `warm.zygote_for` says why.
"""

from __future__ import annotations

from typing import Protocol

from autograder.box import cold, warm
from autograder.box.cgroup import Cgroup
from autograder.box.handover import Handover
from autograder.box.policy import Policy
from autograder.box.verdict import End
from autograder.faults import HostFault


class BoxProcess(Protocol):
    """The running process of a box, with a descriptor of it instead of a number that may come to mean another."""

    @property
    def descriptor(self) -> int:
        """Becomes readable when the process has ended; valid until `reap`."""

    @property
    def first(self) -> int:
        """Stands for the process below which all processes of the box are; valid until `reap`."""

    @property
    def end(self) -> End | None:
        """How it ended, or `None` while it has not been reaped."""

    def kill(self) -> None:
        """Kills every process of the box; from any thread, at any time, more than once."""

    def abandon(self) -> None:
        """Does what else can be done about a box that does not end when it is killed."""

    def reap(self) -> End:
        """Waits for the end of the process, says how it ended and lets go of its descriptors."""

    def complaints(self) -> str:
        """Returns the beginning of what the box wrote to its stderr, which nobody else sees."""

    def close(self) -> None:
        """Lets go of the rest once it has been reaped."""


def start(handover: Handover, policy: Policy, *, cgroup: Cgroup | None) -> BoxProcess:
    """Starts a kernel in a box.

    The thread that calls this must outlive the box: bubblewrap dies with the thread that started it.

    Args:
        handover: What the kernel's entry point is told.
        policy: What the box may use and see.
        cgroup: The group to join before anything runs, or `None`.

    Raises:
        HostFault: The box could not be made.
    """
    if policy.sandbox == "bubblewrap" and policy.start != "cold":
        zygote = warm.zygote_for(policy)
        if isinstance(zygote, warm.Zygote):
            try:
                return zygote.start(handover, cgroup=cgroup)
            except HostFault:
                if zygote.alive or policy.start == "warm":
                    raise  # else it has just died, which need not cost this box
        elif policy.start == "warm":
            raise zygote
    return cold.start(handover, policy, cgroup=cgroup)
