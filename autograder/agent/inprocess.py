"""A link to an agent in this very process: public checks in a live notebook, and a suite against its reference."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.link import Agent, Answer
from autograder.wire import check_fault


class InProcessLink:
    """Asks an agent by a plain call, in the same form as a message: what works here works through a box.

    Args:
        agent: Whom to ask.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def ask(self, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None) -> Answer:
        """Sends a request and returns its answer; see `autograder.link.Link`.

        Args:
            content: The request.
            buffers: Its buffers.
            timeout: Not kept: nothing in a process can end its own compiled loop. An interrupt ends the rest.
        """
        del timeout
        answer, raw = self._agent.handle(json.loads(json.dumps(content)), buffers)
        answer = json.loads(json.dumps(answer))
        check_fault(answer, name=str(content.get("name", "")))
        return Answer(answer, tuple(raw))
