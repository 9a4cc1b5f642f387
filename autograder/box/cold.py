"""Starts the process of a box cold, by bubblewrap or bare, and ends it so that nothing of it stays behind."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

from autograder.box.bwrap import command
from autograder.box.cgroup import Cgroup
from autograder.box.handover import Handover, anonymous_file
from autograder.box.host import NAMESPACES, find_host
from autograder.box.policy import Policy, environment
from autograder.box.verdict import End, Usage
from autograder.faults import HostFault

_LAUNCH_S = 20.0
COMPLAINT_BYTES = 4000
NOT_IN_GROUP = "The sandbox could not be put into its control group."


class ColdProcess:
    """The process of a box that was started by itself; see `autograder.box.process.BoxProcess`.

    Args:
        popen: The process that the grader started: bubblewrap, or the kernel itself.
        init: Descriptor of the first process in the box's namespace, whose end ends all others, and after them
            bubblewrap; `None` without a namespace.
        cgroup: The box's group, or `None`.
        complaints: Descriptor of the anonymous file that is the box's stderr.
    """

    def __init__(
        self, popen: subprocess.Popen[bytes], init: int | None, *, cgroup: Cgroup | None, complaints: int
    ) -> None:
        self._popen = popen
        self._init = init
        self._outer = os.pidfd_open(popen.pid)
        self._cgroup = cgroup
        self._complaints = complaints
        self._lock = threading.Lock()
        self._end: End | None = None

    @property
    def descriptor(self) -> int:
        """Becomes readable when the process has ended; valid until `reap`."""
        return self._outer

    @property
    def first(self) -> int:
        """Stands for the process below which all processes of the box are; valid until `reap`."""
        return self._outer

    @property
    def end(self) -> End | None:
        """How it ended, or `None` while it has not been reaped."""
        return self._end

    def kill(self) -> None:
        """Kills every process of the box; from any thread, at any time, more than once."""
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._end is not None:
                return
            if self._init is None:
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                signal.pidfd_send_signal(self._init, signal.SIGKILL)

    def abandon(self) -> None:
        """Kills bubblewrap itself, should it not end after the box; the kernel then takes what is left."""
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._end is None:
                os.killpg(self._popen.pid, signal.SIGKILL)

    def reap(self) -> End:
        """Waits for the end of the process, says how it ended and lets go of its descriptors."""
        with self._lock:
            if self._end is None:
                _, status, used = os.wait4(self._popen.pid, 0)
                self._popen.returncode = os.waitstatus_to_exitcode(status)
                peak = self._cgroup.peak_mb() if self._cgroup else None
                usage = Usage(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024 if peak is None else peak)
                kills = self._cgroup.oom_kills() if self._cgroup else 0
                self._end = End(self._popen.returncode, usage, kills, peak)
                os.close(self._outer)
                if self._init is not None:
                    os.close(self._init)
            return self._end

    def complaints(self) -> str:
        """Returns the beginning of what the box wrote to its stderr, which nobody else sees."""
        return os.pread(self._complaints, COMPLAINT_BYTES, 0).decode(errors="replace")

    def close(self) -> None:
        """Lets go of the rest once it has been reaped."""
        if self._complaints >= 0:
            os.close(self._complaints)
            self._complaints = -1


def start(handover: Handover, policy: Policy, *, cgroup: Cgroup | None) -> ColdProcess:
    """Starts a kernel in a box; see `autograder.box.process.start`."""
    told = handover.to_file()
    boxed = policy.sandbox == "bubblewrap"
    module = "init" if boxed else "kernel"
    program = [sys.executable, "-s", "-P", "-B", "-m", f"autograder.box.{module}", str(told)]
    pass_fds = (told, *handover.descriptors)
    complaints = anonymous_file("stderr")
    try:
        if boxed:
            return _start_bubblewrap(program, policy, pass_fds=pass_fds, cgroup=cgroup, complaints=complaints)
        variables = environment(policy, scratch=handover.scratch)
        popen = popen_quietly(program, variables, pass_fds=pass_fds, complaints=complaints)
        if cgroup:
            cgroup.add(popen.pid)
        return ColdProcess(popen, None, cgroup=cgroup, complaints=complaints)
    except BaseException:
        os.close(complaints)
        raise
    finally:
        os.close(told)


def _start_bubblewrap(
    program: Sequence[str], policy: Policy, *, pass_fds: Sequence[int], cgroup: Cgroup | None, complaints: int
) -> ColdProcess:
    """Starts bubblewrap, which tells the first process of the box and waits until that one is in its group."""
    told, tell = os.pipe()
    hold, release = os.pipe()
    try:
        argv = [*command(policy, find_host()), "--info-fd", str(tell), "--block-fd", str(hold), "--", *program]
        popen = popen_quietly(argv, {}, pass_fds=(*pass_fds, tell, hold), complaints=complaints)
        os.close(tell)
        tell = -1
        init = _first_process(told)
        if init is None:
            popen.kill()
            popen.wait()
            detail = os.pread(complaints, COMPLAINT_BYTES, 0).decode(errors="replace")
            raise HostFault("bubblewrap could not make a sandbox on this machine.", remedy=NAMESPACES, detail=detail)
        process = ColdProcess(popen, os.pidfd_open(init), cgroup=cgroup, complaints=complaints)
        try:
            if cgroup:
                cgroup.add(init)
        except OSError as error:
            process.kill()
            process.reap()
            raise HostFault(NOT_IN_GROUP, detail=str(error)) from error
        os.write(release, b"1")
        return process
    finally:
        for descriptor in (told, tell, hold, release):
            if descriptor >= 0:
                os.close(descriptor)


def popen_quietly(
    argv: Sequence[str], variables: dict[str, str], *, pass_fds: Sequence[int], complaints: int
) -> subprocess.Popen[bytes]:
    """Starts a program apart from the grader's terminal.

    Args:
        argv: The program.
        variables: Its whole environment.
        pass_fds: Descriptors that it inherits, under the same numbers.
        complaints: Descriptor that becomes its stderr.

    Raises:
        HostFault: It could not be started.
    """
    try:
        return subprocess.Popen(
            argv,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
            pass_fds=pass_fds,
            cwd="/",
            start_new_session=True,  # so that Ctrl-C in the grader's terminal is the grader's alone
        )
    except OSError as error:
        raise HostFault("The process of a sandbox could not be started.", detail=str(error)) from error


def _first_process(told: int) -> int | None:
    """Reads from bubblewrap the number of the first process of the box, or `None` if bubblewrap gave up."""
    text = b""
    deadline = time.monotonic() + _LAUNCH_S
    while b"}" not in text:
        ready, _, _ = select.select([told], [], [], max(0.0, deadline - time.monotonic()))
        chunk = os.read(told, 4096) if ready else b""
        if not chunk:
            return None
        text += chunk
    return int(json.loads(text)["child-pid"])
