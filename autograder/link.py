"""A link carries one request to an agent and brings its answer back.

The agent may sit in a sandboxed kernel (`autograder.box`), or in this very process (`InProcessLink`: the public checks
in a student's live notebook, and a suite run against its reference). The suite API sees only this protocol.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent answered.

    Attributes:
        content: The JSON object; its form depends on the operation that was asked for (see `docs/architecture.md`).
        buffers: Raw bytes that belong to it: arrays (C order, little endian), serialised programs.
    """

    content: Mapping[str, Any]
    buffers: tuple[bytes, ...] = ()


class Link(Protocol):
    """One way to one agent."""

    def ask(self, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None) -> Answer:
        """Sends a request and returns its answer.

        Args:
            content: A JSON object with the key `op` and the operation's own keys.
            buffers: Raw bytes that `content` refers to by index.
            timeout: Seconds to wait, wall time; `None` takes the link's own limit.

        Raises:
            StudentFault: The agent reports that the student's code is at fault (an answer with the key `fault`).
            LimitFault: The deadline passed, or the process behind the link ended by itself or by a limit.
            HostFault: The process behind the link could not be started.
            TamperFault: The answer is not of the form that the protocol asks for.
        """
        ...


class Agent(Protocol):
    """What answers requests: see `autograder.agent.student` and `autograder.agent.replay`."""

    def handle(self, content: Mapping[str, Any], buffers: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        """Answers one request. A failure is an answer with the key `fault`, never an exception."""
        ...
