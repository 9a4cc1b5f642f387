"""What a process of a box does to itself before any code of a student's: gives up its user, takes its limits."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from pathlib import Path

from autograder.box import landlock, seccomp
from autograder.box.handover import Handover, read_anonymous, unpack
from autograder.box.host import NOBODY
from autograder.box.policy import Limits

_PR_SET_PDEATHSIG = 1
_CAPABILITY_VERSION = 0x20080522
_DATA_MARGIN_MB = 1024
"""RLIMIT_DATA counts what XLA reserves and never touches: about 1 GiB while it compiles."""


def confine(handover: Handover) -> None:
    """Confines this process for good, unpacks the submission and makes its folder the working directory."""
    if handover.orphan:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if handover.user is not None:
        _become(handover.user)
    work = handover.scratch / "work"
    work.mkdir()
    (handover.scratch / "home").mkdir()
    unpack(handover.files, work)
    _limit(handover.limits, alone=not handover.orphan and handover.user != NOBODY)
    os.chdir(work)
    if handover.filter is not None:
        _give_up_rights()
        landlock.restrict(readable=[Path("/")], writable=[handover.scratch, Path("/tmp"), Path("/dev")])
        seccomp.load(read_anonymous(handover.filter))


def _become(user: int) -> None:
    """Gives up root for good; with the user go the last capabilities."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _give_up_rights() -> None:
    """Empties every set of capabilities, the inheritable one included; capset(2)."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if libc.capset(header, nothing) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _limit(limits: Limits, *, alone: bool) -> None:
    """Takes the rlimits; the one on processes only where the user is `alone` in its namespace: it counts by user."""
    data = (limits.memory_mb + _DATA_MARGIN_MB) * 2**20
    wanted = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 2),  # first SIGXCPU, then SIGKILL
        (resource.RLIMIT_DATA, data, data),
        (resource.RLIMIT_FSIZE, limits.file_mb * 2**20, limits.file_mb * 2**20),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_NOFILE, 1024, 1024),
    ]
    if alone:
        wanted.append((resource.RLIMIT_NPROC, limits.processes, limits.processes))
    for what, soft, hard in wanted:
        ceiling = resource.getrlimit(what)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(what, (soft, hard))
