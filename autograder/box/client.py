"""A bounded client reads what a kernel sends as hostile input: sized, checked, and never waited for without an end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from zmq.utils.monitor import recv_monitor_message

from autograder.box.policy import Limits

_QUEUED_MB = 64
"""MiB that ZeroMQ may hold per channel before this process has read them."""

Message = dict[str, Any]


class BoxClient(AsyncKernelClient):
    """A client of a kernel in a box, with one reader per channel."""

    def listen(self, on_reply: Callable[[Message], None], on_output: Callable[[Message], None]) -> None:
        """Starts the readers.

        Args:
            on_reply: Is called with each message of the shell channel.
            on_output: Is called with each message of the output channel.
        """
        self.cut = asyncio.Event()
        """Is set once ZeroMQ has cut a connection: at a message that is too large, or at the kernel's end."""
        self.start_channels(stdin=False, hb=False, control=False)
        self._tasks = [
            asyncio.create_task(work)
            for work in (
                self._read(self.shell_channel.socket, on_reply),
                self._read(self.iopub_channel.socket, on_output),
                self._watch(self.shell_channel.socket),
                self._watch(self.iopub_channel.socket),
            )
        ]

    async def stop(self) -> None:
        """Stops the readers and closes the channels."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for channel in (self.shell_channel, self.iopub_channel):
            channel.socket.disable_monitor()
        self.stop_channels()

    async def _read(self, source: zmq.asyncio.Socket, take: Callable[[Message], None]) -> None:
        while True:
            frames = await source.recv_multipart()
            try:
                _, parts = self.session.feed_identities(frames)
                message = self.session.deserialize(parts)
            except Exception:  # forged, replayed or malformed; RecursionError of the JSON parser included
                continue
            if isinstance(message["msg_type"], str) and isinstance(message["content"], dict):
                take(message)

    async def _watch(self, source: zmq.asyncio.Socket) -> None:
        """Notices when ZeroMQ cuts a connection, as it does on a message that is too large."""
        monitor = source.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        while True:
            await recv_monitor_message(monitor)
            self.cut.set()


def bounded_context(limits: Limits) -> zmq.asyncio.Context:
    """Makes a context whose sockets refuse a part of a message that is too large, and hold few that are not read."""
    context = zmq.asyncio.Context()
    context.setsockopt(zmq.MAXMSGSIZE, limits.message_mb * 2**20)
    context.setsockopt(zmq.RCVHWM, max(2, _QUEUED_MB // limits.message_mb))
    context.setsockopt(zmq.LINGER, 0)
    return context


def parent_of(message: Message) -> str:
    """Returns the number of the request that a message belongs to, or an empty string."""
    with contextlib.suppress(Exception):
        number = message["parent_header"]["msg_id"]
        if isinstance(number, str):
            return number
    return ""
