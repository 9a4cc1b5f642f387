"""The client of a box passes on well-formed messages alone."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from jupyter_client.session import Session

from autograder.box.client import BoxClient, Message


class Closed(Exception):
    """There is no further message."""


class Source:
    """Stands for a socket with one message in it."""

    def __init__(self, frames: list[bytes]) -> None:
        self._frames = [frames]

    async def recv_multipart(self) -> list[bytes]:
        """Returns the message, once."""
        if not self._frames:
            raise Closed
        return self._frames.pop()


def read(kind: Any, content: Any) -> list[Message]:
    """Returns what the client passes on of a signed message."""
    client = BoxClient.__new__(BoxClient)
    client.session = Session(key=b"key")
    header = {"msg_id": "1", "msg_type": kind, "version": "5.3"}
    parts = [json.dumps(part).encode() for part in (header, {"msg_id": "2"}, {}, content)]
    taken: list[Message] = []
    with pytest.raises(Closed):
        asyncio.run(client._read(Source([b"<IDS|MSG>", client.session.sign(parts), *parts]), taken.append))  # type: ignore[arg-type]
    return taken


def test_message_is_passed_on() -> None:
    """A message with a type and an object is passed on."""
    assert [message["content"] for message in read("stream", {"text": "x"})] == [{"text": "x"}]


@pytest.mark.parametrize(
    ("kind", "content"), [(["stream"], {}), ({}, {}), (None, {}), ("stream", []), ("stream", None)]
)
def test_malformed_message_ends_no_reader(kind: Any, content: Any) -> None:
    """A message whose type is no text or whose content is no object is left out, and the reader goes on."""
    assert read(kind, content) == []
