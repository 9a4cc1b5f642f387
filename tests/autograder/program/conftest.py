"""Exports functions as the student's kernel does, and asks the replay agent about them in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import pytest

from autograder import wire
from autograder.agent.replay import ReplayAgent
from autograder.program.structure import Structure, read_structure


class Replayed:
    """A program and the agent that answers for it."""

    def __init__(self, agent: ReplayAgent, artifact: bytes) -> None:
        self.agent = agent
        self.artifact = artifact

    def ask(self, op: str, inputs: Sequence[Sequence[Any]] | None = None, **content: Any) -> Any:
        """Returns the answer's content and buffers, whatever they say."""
        buffers = [self.artifact]
        if inputs is not None:
            content["inputs"] = [wire.encode(list(flat), into=buffers)[0] for flat in inputs]
        return self.agent.handle({"op": op, **content}, buffers)

    def fault(self, op: str, inputs: Sequence[Sequence[Any]] | None = None, **content: Any) -> dict[str, Any]:
        """Returns the fault that is answered."""
        return self.ask(op, inputs, **content)[0]["fault"]

    @property
    def structure(self) -> Structure:
        """The structure, as the grader reads it."""
        return read_structure(self.ask("describe")[0]["structure"])

    def run(self, *inputs: Sequence[Any]) -> list[list[Any]]:
        """Returns the flat outputs for each tuple of inputs."""
        content, buffers = self.ask("run", inputs)
        return [wire.decode(tree, buffers) for tree in content["outputs"]]

    def disturb(self, *inputs: Sequence[Any], **target: Any) -> list[list[list[Any]]]:
        """Returns the flat outputs for each sentinel and each tuple of inputs."""
        content, buffers = self.ask("disturb", inputs, target=target)
        return [[wire.decode(tree, buffers) for tree in run] for run in content["outputs"]]

    def decides(self, *inputs: Sequence[Any], **target: Any) -> list[bool]:
        """Tells for each tuple of inputs whether the outputs change in one of the runs."""
        before = self.run(*inputs)
        after = self.disturb(*inputs, **target)
        return [
            any(
                not np.allclose(old, new, rtol=1e-5, equal_nan=True)
                for run in after
                for old, new in zip(flat, run[place], strict=True)
            )
            for place, flat in enumerate(before)
        ]

    def trips(self, id: int, *inputs: Sequence[Any]) -> list[int] | None:
        """Returns how often a loop's body ran for each tuple of inputs."""
        return self.ask("trips", inputs, id=id)[0]["trips"]


@pytest.fixture(scope="session")
def agent() -> ReplayAgent:
    """One agent for all tests: what it keeps is a cache."""
    return ReplayAgent()


@pytest.fixture(scope="session")
def replay(agent: ReplayAgent) -> Callable[..., Replayed]:
    """Exports a function for avals and returns the program in the hands of the agent."""

    def export(function: Callable[..., Any], *avals: Any) -> Replayed:
        flat = jax.jit(lambda *arguments: jax.tree.leaves(function(*arguments)))
        return Replayed(agent, bytes(jax.export.export(flat)(*avals).serialize()))

    return export


@pytest.fixture(scope="session")
def opened(agent: ReplayAgent) -> Callable[[bytes], Replayed]:
    """Puts bytes of any kind into the hands of the agent."""
    return lambda artifact: Replayed(agent, artifact)
