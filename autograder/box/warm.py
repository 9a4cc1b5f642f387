"""Starts boxes warm: one zygote for each view of the host, from which every box of a grader is forked.

This is the trusted side. It talks to the zygote over a socket that has no path, which forks of this process share; the
zygote ends when the last of them closes it. A box ends with the process that asked for it.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from autograder.box.bwrap import command
from autograder.box.cgroup import Cgroup
from autograder.box.cold import COMPLAINT_BYTES, NOT_IN_GROUP, popen_quietly
from autograder.box.handover import READY, STARTED, Handover, anonymous_file
from autograder.box.host import NAMESPACES, find_host
from autograder.box.policy import Policy
from autograder.box.verdict import End, Usage
from autograder.faults import HostFault

_LOAD_S = 60.0
_LAUNCH_S = 20.0
_MESSAGE = 2**16


class WarmProcess:
    """The process of a box that was forked from the zygote; see `autograder.box.process.BoxProcess`.

    Args:
        init: Descriptor of the first process of the box's namespace, whose end ends all others.
        report: Socket on which the zygote tells how that process ended.
        cgroup: The box's group, or `None`.
        complaints: Descriptor of the anonymous file that is the box's stderr.
    """

    def __init__(self, init: int, report: socket.socket, *, cgroup: Cgroup | None, complaints: int) -> None:
        self._init = init
        self._report = report
        self._cgroup = cgroup
        self._complaints = complaints
        self._lock = threading.Lock()
        self._end: End | None = None

    @property
    def descriptor(self) -> int:
        """Becomes readable when the process has ended; valid until `reap`."""
        return self._report.fileno()

    @property
    def first(self) -> int:
        """Stands for the process below which all processes of the box are; valid until `reap`."""
        return self._init

    @property
    def end(self) -> End | None:
        """How it ended, or `None` while it has not been reaped."""
        return self._end

    def kill(self) -> None:
        """Kills every process of the box; from any thread, at any time, more than once."""
        with self._lock, contextlib.suppress(ProcessLookupError):  # once reaped, the descriptor may be another box's
            if self._end is None:
                signal.pidfd_send_signal(self._init, signal.SIGKILL)

    def abandon(self) -> None:
        """Kills once more: there is no process around this box."""
        self.kill()

    def reap(self) -> End:
        """Waits for the report of the end, and lets go of the descriptors; when the zygote died, its boxes did."""
        with self._lock:
            if self._end is None:
                try:
                    told = json.loads(self._report.recv(_MESSAGE) or b"{}")
                except OSError:
                    told = {}
                peak = self._cgroup.peak_mb() if self._cgroup else None
                usage = Usage(told.get("cpu_s", 0.0), told.get("peak_mb", 0.0) if peak is None else peak)
                kills = self._cgroup.oom_kills() if self._cgroup else 0
                self._end = End(told.get("status", -signal.SIGKILL), usage, kills, peak, with_zygote=not told)
                self._report.close()
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


class Zygote:
    """A warm process in bubblewrap from which boxes are forked; usable from any thread, and in forks of this process.

    It loads while the caller goes on; `wait_ready` waits for it.

    Args:
        policy: Whose view of the host all boxes share; each has its own limits.

    Raises:
        HostFault: It cannot be started.
    """

    def __init__(self, policy: Policy) -> None:
        host = find_host()
        self._ready = False
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._complaints = anonymous_file("stderr")
        program = [sys.executable, "-s", "-P", "-B", "-m", "autograder.box.zygote", str(theirs.fileno())]
        argv = [*command(policy, host, nesting=True), "--", *program, "outer" if host.privileged else "inner"]
        with theirs:
            self._popen = popen_quietly(argv, {}, pass_fds=[theirs.fileno()], complaints=self._complaints)
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The number of the process around it, bubblewrap."""
        return self._popen.pid

    @property
    def alive(self) -> bool:
        """Whether it can fork boxes."""
        if self._control.fileno() < 0:  # closed here
            return False
        watch = select.poll()
        watch.register(self._control, select.POLLHUP)
        return not watch.poll(0)

    def wait_ready(self) -> None:
        """Waits until it has loaded.

        Raises:
            HostFault: It could not, or cannot be forked safely.
        """
        if self._ready:
            return
        self._control.settimeout(_LOAD_S)
        try:
            told = self._control.recv(_MESSAGE)
        except OSError as error:
            told = str(error).encode()
        self._control.settimeout(None)
        if told != READY:
            detail = os.pread(self._complaints, COMPLAINT_BYTES, 0).decode(errors="replace")
            self.close()
            what = told.decode(errors="replace") or "its process ended"
            raise HostFault(f"The warm process for sandboxes did not start: {what}.", remedy=NAMESPACES, detail=detail)
        self._ready = True

    def start(self, handover: Handover, *, cgroup: Cgroup | None) -> WarmProcess:
        """Forks a box; see `autograder.box.process.start`."""
        complaints = anonymous_file("stderr")
        told = handover.to_file()
        report, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        hold, release = os.pipe()
        try:
            handed = [told, theirs.fileno(), hold, complaints, *handover.descriptors]
            init = self._ask(handed, theirs, report)
            process = WarmProcess(init, report, cgroup=cgroup, complaints=complaints)
            try:
                if cgroup:
                    cgroup.add(_number_of(init))
                os.write(release, b"1")
            except OSError as error:
                process.kill()
                process.reap()
                detail = f"{error}\n{process.complaints()}"
                raise HostFault(NOT_IN_GROUP, detail=detail) from error
            return process
        except BaseException:
            report.close()
            os.close(complaints)
            raise
        finally:
            for descriptor in (told, hold, release):
                os.close(descriptor)

    def close(self) -> None:
        """Ends it, and with it every box that was forked from it, unless another process holds it as well."""
        atexit.unregister(self.close)
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_LAUNCH_S)
        if self._complaints >= 0:
            os.close(self._complaints)
            self._complaints = -1

    def _ask(self, handed: list[int], theirs: socket.socket, report: socket.socket) -> int:
        """Asks for a box and returns a descriptor of its first process."""
        what = "its process ended"
        try:
            with theirs:
                socket.send_fds(self._control, [json.dumps(handed).encode()], handed)
            report.settimeout(_LAUNCH_S)
            said, descriptors, _, _ = socket.recv_fds(report, _MESSAGE, 1)
            report.settimeout(None)
            if said == STARTED and descriptors:
                return descriptors[0]
            what = said.decode(errors="replace") or what
        except OSError as error:
            what = str(error)
        raise HostFault(f"The warm process for sandboxes could not fork one: {what}.", remedy=NAMESPACES)


class Nursery:
    """The zygotes of this process, one for each view of the host; a fork of the process shares them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[object, Zygote | HostFault] = {}

    def begin(self, policy: Policy) -> Zygote | HostFault:
        """Returns the zygote for a view, which may still be loading, or why there is none."""
        key = (policy.readable, policy.environment)
        with self._lock:
            known = self._known.get(key)
            if isinstance(known, Zygote) and not known.alive:
                known.close()
                known = None
            if known is None:
                try:
                    known = Zygote(policy)
                except HostFault as fault:
                    known = fault
                self._known[key] = known
            return known

    def zygote_for(self, policy: Policy) -> Zygote | HostFault:
        """Returns the zygote for a view when it has loaded, or why there is none."""
        self.begin(policy)
        key = (policy.readable, policy.environment)
        with self._lock:
            found = self._known[key]  # another thread may just have found out that it does not work
            if isinstance(found, Zygote):
                try:
                    found.wait_ready()
                except HostFault as fault:
                    self._known[key] = found = fault
            return found

    def close(self) -> None:
        """Ends every zygote."""
        with self._lock:
            for known in self._known.values():
                if isinstance(known, Zygote):
                    known.close()
            self._known.clear()


_NURSERY = Nursery()


def begin(policy: Policy) -> None:
    """Lets the zygote for boxes under this policy load meanwhile."""
    _NURSERY.begin(policy)


def zygote_for(policy: Policy) -> Zygote | HostFault:
    """Returns the zygote for boxes under this policy, or why there is none on this host, which is tried once."""
    return _NURSERY.zygote_for(policy)


def _number_of(process: int) -> int:
    """Returns the number, in this process's namespace, of the process that a descriptor stands for.

    Raises:
        OSError: It has ended.
    """
    text = Path(f"/proc/self/fdinfo/{process}").read_text()
    number = int(re.findall(r"^Pid:\s*(-?\d+)", text, re.MULTILINE)[0])
    if number <= 0:
        raise ProcessLookupError("The first process of the box has ended.")
    return number
