"""A relay passes on what a kernel may send, and not a byte more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from autograder.box.relay import Relay

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def through_relay(folder: Path, kernel: Talk, client: Talk, *, allowance: int) -> list[str]:
    """Lets a kernel and a client talk through a relay; returns "excess" as often as the relay reported one."""
    reported: list[str] = []
    server = await asyncio.start_unix_server(kernel, str(folder / "k"))
    relay = Relay(folder / "k", allowance=allowance, on_excess=lambda: reported.append("excess"))
    await relay.start(folder / "s")
    reader, writer = await asyncio.open_unix_connection(str(folder / "s"))
    await client(reader, writer)
    writer.close()
    await relay.stop()
    server.close()
    return reported


def test_both_directions_are_passed_on(tmp_path: Path) -> None:
    """What a client sends comes to the kernel, and what the kernel answers comes back, byte by byte."""

    async def kernel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write((await reader.readexactly(200_000))[::-1])
        await writer.drain()
        await reader.read()  # until the client has all of it and closes
        writer.close()

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sent = bytes(range(250)) * 800
        writer.write(sent)
        assert await reader.readexactly(200_000) == sent[::-1]

    assert asyncio.run(through_relay(tmp_path, kernel, client, allowance=200_000)) == []


def test_endless_message_is_cut(tmp_path: Path) -> None:
    """A kernel that does not stop sending is reported, and no more than its allowance is passed on."""

    async def kernel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(b"x" * 2**16)
                await writer.drain()
        except OSError:
            writer.close()

    async def client(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen = 0
        try:
            async with asyncio.timeout(0.5):
                while data := await reader.read(2**16):
                    seen += len(data)
        except TimeoutError:
            pass
        assert seen <= 10**6

    assert asyncio.run(through_relay(tmp_path, kernel, client, allowance=10**6)) == ["excess"]


@pytest.mark.parametrize("kernel_first", [True, False])
def test_who_hung_up(tmp_path: Path, kernel_first: bool) -> None:
    """A relay knows whether the kernel closed a connection, or its client did."""

    async def use() -> bool:
        ended = asyncio.Event()

        async def kernel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"!")
            if not kernel_first:
                await reader.read()
            writer.close()
            ended.set()

        server = await asyncio.start_unix_server(kernel, str(tmp_path / "k"))
        relay = Relay(tmp_path / "k", allowance=1, on_excess=lambda: None)
        await relay.start(tmp_path / "s")
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "s"))
        assert await reader.read(1) == b"!"
        if kernel_first:
            await reader.read()
        writer.close()
        await ended.wait()
        await relay.stop()
        server.close()
        return relay.hung_up

    assert asyncio.run(use()) is kernel_first


def test_client_without_a_kernel_is_cut_off(tmp_path: Path) -> None:
    """Where no kernel listens a client is cut off, and nothing else happens."""

    async def use() -> bytes:
        relay = Relay(tmp_path / "absent", allowance=1, on_excess=lambda: None)
        await relay.start(tmp_path / "s")
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / "s"))
        seen = await reader.read()
        writer.close()
        await relay.stop()
        return seen

    assert asyncio.run(use()) == b""
