"""Compiles are counted by JAX's own event: one for each program that the backend compiles, none when a cache has it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from jax import monitoring

from autograder.tools.causes import CacheMisses

COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"
"""The public duration event that JAX records once for each program it compiles (seen on 0.10.2 and 0.12.0.1)."""


@dataclass(frozen=True, slots=True)
class Compile:
    """One compilation.

    Attributes:
        name: What JAX calls the program: `jit(newton_sqrt)`.
        cause: A phrase on why it was needed, as far as JAX told; may be empty.
    """

    name: str
    cause: str = ""


class CompileWatch:
    """Listens to the compilations of this process, from `start` to `stop`.

    The listener is registered with the process's JAX, for all threads: what compiles is counted, whoever asked for it.
    """

    def __init__(self) -> None:
        self._seen: list[Compile] = []
        self._misses = CacheMisses()
        self._muted = False

    def start(self) -> None:
        """Registers the listener."""
        monitoring.register_event_duration_secs_listener(self._on_event)

    def stop(self) -> None:
        """Takes the listener out again, if someone else has not done so already."""
        with suppress(AssertionError, ValueError):  # cleared by others: there is nothing left to take out
            monitoring.unregister_event_duration_listener(self._on_event)

    @property
    def seen(self) -> tuple[Compile, ...]:
        """All compilations so far, in order."""
        return tuple(self._seen)

    @property
    def misses(self) -> CacheMisses:
        """JAX's own explanations; collected while entered as a context manager."""
        return self._misses

    def _on_event(self, event: str, duration_secs: float, **facts: Any) -> None:
        del duration_secs
        if event == COMPILE_EVENT:
            name = str(facts.get("fun_name", ""))
            self._seen.append(Compile(name, self._misses.cause_of(name)))
