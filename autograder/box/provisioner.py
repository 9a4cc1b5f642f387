"""A kernel provisioner starts Jupyter kernels in boxes: `jupyter_client` sees an ordinary kernel."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Dict, Instance, Unicode

from autograder.box import cgroup, folder, seccomp
from autograder.box.clock import cpu_seconds
from autograder.box.handover import Handover, anonymous_file, pack
from autograder.box.host import find_host, fresh_user
from autograder.box.policy import SCRATCH, Policy
from autograder.box.process import BoxProcess, start
from autograder.box.relay import Relay
from autograder.box.verdict import Cause, End, Usage, Verdict, judge, verdict_of
from autograder.box.warm import WarmProcess

AGENTS = {
    "student": "autograder.agent.student:StudentAgent",
    "replay": "autograder.agent.replay:ReplayAgent",
}
_OUTPUT = "iopub_port"
_PORTS = ("shell_port", _OUTPUT, "stdin_port", "control_port")
_ANSWER_PARTS = 4
"""Parts of full size that the answer to one request may have."""
_LAST_WAIT_S = 10.0


class BoxProvisioner(KernelProvisionerBase):
    """Starts one kernel in a box, watches over its wall time, and says how it ended.

    A kernelspec names it as `autograder-box` and gives the traits below as its configuration.
    """

    policy = Instance(Policy, args=())
    role = Unicode("student", help="`student`, or `replay`: which agent answers requests.")
    agent = Unicode("", help="Import path of another agent's class, `module:Class`; for tests.")
    files = Dict(help="Files that are copied into the box, by the name that each has there.")

    verdict: Verdict | None = None
    """Why the kernel ended by itself or by a limit; `None` when the grader closed it, and when the host ended it."""

    _process: BoxProcess | None = None
    _folder: folder.PrivateFolder | None = None
    _cgroup: cgroup.Cgroup | None = None
    _timer: threading.Timer | None = None
    _watch: asyncio.Task[None] | None = None
    _relays: dict[str, Relay] | None = None
    _stopped: Cause | None = None
    _closing: bool = False
    _computed_s: float = 0.0
    _complaint: str = ""

    @property
    def has_process(self) -> bool:
        """Whether there is a kernel to manage."""
        return self._process is not None

    @property
    def warm(self) -> bool:
        """Whether the kernel's process was forked from a zygote."""
        return isinstance(self._process, WarmProcess)

    @property
    def end(self) -> End | None:
        """How the process ended, or `None` while it runs."""
        return self._process.end if self._process else None

    @property
    def usage(self) -> Usage | None:
        """What the box used, or `None` while it runs: the processes that the grader killed count as well."""
        if self.end is None:
            return None
        return replace(self.end.usage, cpu_s=max(self.end.usage.cpu_s, self._computed_s))

    @property
    def complaint(self) -> str:
        """The beginning of what the kernel's process wrote to its own stderr, for the staff."""
        return self._process.complaints() if self._process else self._complaint

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Prepares the private folder and the connection. The environment of the grader is not passed on."""
        manager = self.parent
        assert isinstance(manager, KernelManager)
        if self._folder is None:
            folder.sweep()
            cgroup.sweep()
            self._folder = folder.PrivateFolder.create()
        manager.transport = "ipc"
        manager.ip = str(self._folder.path / "s")
        manager.connection_file = str(self._folder.path / "connection.json")
        manager.write_connection_file()
        self.connection_info = manager.get_connection_info()
        return {"cmd": []}  # how a box is started is not for Jupyter to say

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Makes the sockets and the control group, and starts the kernel in its box."""
        self.verdict, self._stopped, self._closing, self._computed_s = None, None, False, 0.0
        limits = self.policy.limits
        boxed = self.policy.sandbox == "bubblewrap"
        assert self._folder is not None
        with contextlib.ExitStack() as opened:
            sockets = {port: opened.enter_context(listener) for port, listener in self._listen().items()}
            await self._relay()
            files = anonymous_file("files", pack(self.files, limits))
            opened.callback(os.close, files)
            filter = anonymous_file("filter", seccomp.build()) if boxed else None
            if filter is not None:
                opened.callback(os.close, filter)
            handover = Handover(
                agent=self.agent or AGENTS[self.role],
                namespace=self.role == "student",
                connection=_as_json(self.connection_info),
                sockets={port: listener.fileno() for port, listener in sockets.items()},
                files=files,
                limits=limits,
                user=fresh_user(find_host()) if boxed else None,
                scratch=SCRATCH if boxed else self._folder.fresh("scratch"),
                orphan=not boxed,
                filter=filter,
            )
            self._cgroup = cgroup.create(limits)
            self._process = start(handover, self.policy, cgroup=self._cgroup)
        self._timer = threading.Timer(limits.wall_s, self.stop, args=["wall"])
        self._timer.daemon = True
        self._timer.start()
        self._watch = asyncio.create_task(self._watch_process(self._process))
        return self.connection_info

    def stop(self, cause: Cause) -> None:
        """Kills the box for a limit that it hit; from any thread. The first cause counts."""
        if self._stopped is None and not self._closing:
            self._stopped = cause
        if self._process:
            self._kill(self._process)

    def renew(self) -> None:
        """Lets the kernel answer once more: is called before each request."""
        for name, relay in (self._relays or {}).items():
            if name != _OUTPUT:
                relay.renew()

    @property
    def hung_up(self) -> bool:
        """Whether the kernel closed a connection by itself."""
        return any(relay.hung_up for relay in (self._relays or {}).values())

    async def poll(self) -> int | None:
        """Returns the exit status, or `None` while the kernel runs."""
        if self._process is None:
            return 0
        return self._process.end.returncode if self._process.end else None

    async def wait(self) -> int | None:
        """Waits for the end of the kernel, however it comes."""
        if self._watch:
            await asyncio.shield(self._watch)
        return await self.poll()

    async def send_signal(self, signum: int) -> None:
        """Sends nothing but SIGKILL: a kernel is interrupted by message, since its processes have other numbers."""
        if signum in (9, 15):
            await self.kill()

    async def kill(self, restart: bool = False) -> None:
        """Kills every process of the box and waits until they are gone."""
        if self._process is None or self._process.end:
            return
        self._closing = True
        self._kill(self._process)
        try:
            await asyncio.wait_for(self.wait(), _LAST_WAIT_S)
        except TimeoutError:
            self._process.abandon()
            await self.wait()

    async def terminate(self, restart: bool = False) -> None:
        """Does what `kill` does: the first process of a namespace ignores SIGTERM."""
        await self.kill(restart=restart)

    async def cleanup(self, restart: bool = False) -> None:
        """Leaves nothing behind: no process, timer, descriptor, control group or folder."""
        await self.kill()
        if self._timer:
            self._timer.cancel()
        for relay in (self._relays or {}).values():
            await relay.stop()
        self._relays = None
        if self._process:
            self._complaint = self._process.complaints()
            self._process.close()
            self._process = None
        if self._cgroup:
            await asyncio.to_thread(self._cgroup.remove)
            self._cgroup = None
        if self._folder and not restart:
            self._folder.remove()
            self._folder = None

    def _kill(self, process: BoxProcess) -> None:
        """Kills the box; what its processes computed is asked before, since nobody waits for them afterwards."""
        try:
            self._computed_s = max(self._computed_s, cpu_seconds(process.first))
        finally:
            process.kill()

    def _listen(self) -> dict[int, socket.socket]:
        """Makes a listening socket of the kernel for each port."""
        listeners: dict[int, socket.socket] = {}
        for name in _PORTS:
            port = int(self.connection_info[name])  # type: ignore[literal-required]
            path = self._inner(port)
            path.unlink(missing_ok=True)
            listeners[port] = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listeners[port].bind(str(path))
            listeners[port].listen(16)
        return listeners

    def _inner(self, port: int) -> Path:
        assert self._folder is not None
        return self._folder.path / f"k-{port}"

    async def _relay(self) -> None:
        """Puts a relay before each socket of the kernel, at the path where `jupyter_client` looks for it."""
        limits = self.policy.limits
        self._relays = {}
        for name in _PORTS:
            port = int(self.connection_info[name])  # type: ignore[literal-required]
            allowance = (limits.output_mb if name == _OUTPUT else _ANSWER_PARTS * limits.message_mb) * 2**20
            relay = Relay(self._inner(port), allowance=allowance, on_excess=partial(self.stop, "output"))
            self._relays[name] = relay
            path = Path(f"{self.connection_info['ip']}-{port}")
            path.unlink(missing_ok=True)
            await relay.start(path)

    async def _watch_process(self, process: BoxProcess) -> None:
        loop = asyncio.get_running_loop()
        ended = loop.create_future()
        loop.add_reader(process.descriptor, ended.cancel)  # it stays readable
        try:
            await asyncio.wait([ended])
        finally:
            loop.remove_reader(process.descriptor)
        end = process.reap()
        if self._timer:
            self._timer.cancel()
        limits = self.policy.limits
        if self._stopped:
            self.verdict = verdict_of(self._stopped, limits)
        elif not self._closing and not end.of_host(limits):
            self.verdict = judge(end, limits)


def _as_json(info: KernelConnectionInfo) -> dict[str, Any]:
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in info.items()}
