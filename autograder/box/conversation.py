"""A conversation with the kernel in a box: start it, run cells, ask its agent, bear every way in which it may end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets import Instance

from autograder.box.client import BoxClient, Message, bounded_context, parent_of
from autograder.box.clock import FairClock, cpu_seconds
from autograder.box.host import NAMESPACES
from autograder.box.outputs import Outputs
from autograder.box.policy import Policy
from autograder.box.provisioner import BoxProvisioner
from autograder.faults import HostFault

_START_S = 120.0
_GRACE_S = 2.0
"""Seconds that an interrupted cell has to come to an end, and the last output of a cell to arrive."""

_QUIET = logging.getLogger("autograder.box")

Settled = Literal["answered", "late", "died"]


@dataclass(slots=True)
class Exchange:
    """One request and what comes back for it.

    Attributes:
        reply: Becomes the reply.
        idle: Becomes done when the kernel says that it has finished.
        outputs: What the request made the kernel show.
        seconds: What it took, as a fair clock counts.
    """

    reply: asyncio.Future[Message]
    idle: asyncio.Future[None]
    outputs: Outputs = field(default_factory=Outputs)
    seconds: float = 0.0


class _OneSpec(KernelSpecManager):
    """Knows one kernel, which is in no folder of this machine."""

    spec = Instance(KernelSpec)

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Returns it, whatever it is called."""
        return self.spec


class Conversation:
    """A kernel in a box and a client of it, on one event loop; `autograder.box.box.Box` is its synchronous face.

    Args:
        role: Which agent answers requests: `student` or `replay`.
        policy: What the box may use and see.
        files: Files that are copied into the box, by the name that each has there.
        agent: Import path of another agent's class.
    """

    def __init__(self, role: str, *, policy: Policy, files: Mapping[str, Path], agent: str) -> None:
        settings = {"role": role, "policy": policy, "files": dict(files), "agent": agent}
        spec = KernelSpec(
            argv=[],
            display_name="autograder box",
            language="python",
            interrupt_mode="message",
            metadata={"kernel_provisioner": {"provisioner_name": "autograder-box", "config": settings}},
        )
        self._context = bounded_context(policy.limits)
        self._manager = AsyncKernelManager(
            context=self._context,
            kernel_name="autograder-box",
            kernel_spec_manager=_OneSpec(spec=spec),
            client_factory=BoxClient,
            log=_QUIET,
        )
        self._client: BoxClient | None = None
        self._exchanges: dict[str, Exchange] = {}
        self._turn = asyncio.Lock()
        self._guard: asyncio.Task[None] | None = None

    @property
    def provisioner(self) -> BoxProvisioner | None:
        """Who manages the kernel's process; `None` before the start."""
        found = self._manager.provisioner
        return found if isinstance(found, BoxProvisioner) else None

    async def start(self) -> None:
        """Starts the kernel and waits until it answers.

        Raises:
            HostFault: It could not be started.
        """
        await self._manager.start_kernel()
        client = self._manager.client(context=self._context)
        assert isinstance(client, BoxClient)
        self._client = client
        client.listen(self._take_reply, self._take_output)
        self._guard = asyncio.create_task(self._guard_output())
        try:
            async with asyncio.timeout(_START_S):
                await self._first_answer()
        except TimeoutError:
            raise self._no_start(f"it did not answer within {_START_S:.0f} seconds") from None

    async def execute(self, code: str, timeout: float) -> tuple[Settled, Exchange]:
        """Runs code as a cell of a notebook would."""
        client = self._running()
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}}
        content |= {"allow_stdin": False, "stop_on_error": False}
        async with self._turn:
            exchange = self._send(client, "execute_request", content)
            settled = await self._settle(exchange, timeout)
            if settled == "answered":
                await self._first(exchange.idle, timeout=_GRACE_S)
        return settled, exchange

    async def request(
        self, kind: str, content: Mapping[str, Any], buffers: Sequence[bytes], timeout: float
    ) -> tuple[Settled, Exchange]:
        """Sends a message of any kind on the shell channel and waits for its reply."""
        client = self._running()
        async with self._turn:
            exchange = self._send(client, kind, dict(content), buffers)
            return await self._settle(exchange, timeout), exchange

    async def close(self) -> None:
        """Kills the kernel, closes every channel and leaves nothing behind."""
        if self._guard:
            self._guard.cancel()
        if self.provisioner:
            await self.provisioner.kill()
        if self._client:
            await self._client.stop()
        await self._manager.cleanup_resources()
        self._context.destroy(linger=0)

    def _running(self) -> BoxClient:
        if self._client is None:
            raise RuntimeError("This box has not been started.")
        return self._client

    def _send(self, client: BoxClient, kind: str, content: dict[str, Any], buffers: Sequence[bytes] = ()) -> Exchange:
        loop = asyncio.get_running_loop()
        assert self.provisioner is not None
        self.provisioner.renew()
        message = client.session.msg(kind, content)
        exchange = Exchange(loop.create_future(), loop.create_future())
        self._exchanges = {message["header"]["msg_id"]: exchange}  # what came before is over
        client.session.send(client.shell_channel.socket, message, buffers=list(buffers))
        return exchange

    async def _settle(self, exchange: Exchange, timeout: float) -> Settled:
        """Waits for a reply; at the deadline interrupts the kernel, and kills it if that does not help."""
        provisioner = self.provisioner
        assert provisioner is not None
        in_time, exchange.seconds = await self._in_time(exchange.reply, timeout)
        if in_time:
            return "answered" if exchange.reply.done() else "died"
        await self._manager.interrupt_kernel()
        in_time, seconds = await self._in_time(exchange.reply, _GRACE_S)
        exchange.seconds += seconds
        if in_time and exchange.reply.done():
            return "late"
        provisioner.stop("wall")
        await provisioner.wait()
        return "died"

    async def _in_time(self, future: asyncio.Future[Any], limit_s: float) -> tuple[bool, float]:
        """Waits as `_first` does, by a fair clock; returns whether it came in time, and what was counted."""
        assert self.provisioner is not None
        process = self.provisioner._process
        assert process is not None
        clock = FairClock(lambda: cpu_seconds(process.first))
        while not clock.late(limit_s):
            if await self._first(future, timeout=clock.pause(limit_s)):
                clock.stop()
                return True, clock.seconds
            clock.read()
        return False, clock.seconds

    async def _first(self, future: asyncio.Future[Any], *, timeout: float) -> bool:
        """Waits until the future is done or the kernel has ended; returns whether one of the two came in time."""
        assert self.provisioner is not None
        ended = asyncio.ensure_future(self.provisioner.wait())
        try:
            done, _ = await asyncio.wait({future, ended}, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
        return bool(done)

    async def _first_answer(self) -> None:
        """Asks the kernel who it is until both its reply and its output have come."""
        client = self._running()
        while True:
            exchange = self._send(client, "kernel_info_request", {})
            if not await self._first(exchange.reply, timeout=_START_S) or not exchange.reply.done():
                raise self._no_start("its process ended")
            await self._first(exchange.idle, timeout=0.1)  # the subscription to the output may come after
            if exchange.idle.done():
                return

    def _no_start(self, what: str) -> HostFault:
        assert self.provisioner is not None
        complaint = self.provisioner.complaint
        remedy = NAMESPACES if complaint.startswith("bwrap:") else ""
        return HostFault(f"The kernel in the sandbox did not start: {what}.", remedy=remedy, detail=complaint)

    async def _guard_output(self) -> None:
        """Kills a kernel whose connection this side cut; one that hung up is ending, and has a verdict of its own."""
        assert self._client is not None
        assert self.provisioner is not None
        await self._client.cut.wait()
        if not self.provisioner.hung_up:
            self.provisioner.stop("output")

    def _take_reply(self, message: Message) -> None:
        exchange = self._exchanges.get(parent_of(message))
        if exchange and not exchange.reply.done():
            exchange.reply.set_result(message)

    def _take_output(self, message: Message) -> None:
        exchange = self._exchanges.get(parent_of(message))
        if exchange is None:
            return
        if message.get("msg_type") == "status":
            content = message.get("content")
            if isinstance(content, dict) and content.get("execution_state") == "idle" and not exchange.idle.done():
                exchange.idle.set_result(None)
        else:
            exchange.outputs.take(message)
