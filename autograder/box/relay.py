"""A relay stands between a kernel and its clients and counts bytes, before any library has read them into memory.

ZeroMQ bounds the size of a part of a message but not the number of parts, so a hostile kernel could fill the grader's
memory with one message that never ends. Bytes that are counted outside leave it nothing to play with.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

_CHUNK = 2**16


class Relay:
    """Passes bytes between clients at one path and a kernel at another.

    Args:
        target: Path of the kernel's socket.
        allowance: Bytes that the kernel may send.
        on_excess: Is called when it has sent more; nothing is passed on from then on.
    """

    def __init__(self, target: Path, *, allowance: int, on_excess: Callable[[], None]) -> None:
        self._target = target
        self._allowance = allowance
        self._left = allowance
        self._on_excess = on_excess
        self.hung_up = False
        """Whether the kernel closed a connection, as it does when it ends."""
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self, path: Path) -> None:
        """Listens at a path."""
        self._server = await asyncio.start_unix_server(self._connect, str(path))

    def renew(self) -> None:
        """Lets the kernel send its allowance once more."""
        self._left = self._allowance

    async def stop(self) -> None:
        """Closes every connection."""
        if self._server:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        writers = {writer}
        try:
            from_kernel, to_kernel = await asyncio.open_unix_connection(str(self._target))
            writers.add(to_kernel)
            self._writers |= writers
            async with asyncio.TaskGroup() as group:
                group.create_task(_pass_on(reader, to_kernel))
                group.create_task(self._count(from_kernel, writer))
        except* OSError:
            pass  # one side is gone
        finally:
            for each in writers:
                each.close()
                with contextlib.suppress(OSError):
                    await each.wait_closed()
            self._writers -= writers
            self._connections.discard(task)

    async def _count(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await _sent(reader):
            self._left -= len(data)
            if self._left < 0:
                self._on_excess()
                return
            writer.write(data)
            await writer.drain()
        self.hung_up = True
        raise ConnectionResetError


async def _sent(reader: asyncio.StreamReader) -> bytes:
    """Returns what a kernel sent; nothing once it has closed the connection, in whichever way."""
    with contextlib.suppress(ConnectionError):
        return await reader.read(_CHUNK)
    return b""


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_CHUNK):
        writer.write(data)
        await writer.drain()
    raise ConnectionResetError
