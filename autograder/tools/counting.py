"""Compiles are counted by JAX's own event: one for each program that is made, none when this process has it already.

A program that JAX loads from its persistent cache on disk counts as made, so such a cache changes no count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from jax import monitoring

from autograder.tools.causes import CacheMisses

COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"
"""The public duration event that JAX records once for each program it makes (seen on 0.10.2 and 0.12.0.1)."""


@dataclass(frozen=True, slots=True)
class Compile:
    """One compilation.

    Attributes:
        name: What JAX calls the program: `jit(newton_sqrt)`.
        cause: A phrase on why it was needed, as far as JAX told; may be empty.
    """

    name: str
    cause: str = ""

    @property
    def function(self) -> str:
        """Name of the function alone: `newton_sqrt`."""
        wrapped = re.fullmatch(r"\w+\((.*)\)", self.name)
        return wrapped[1] if wrapped else self.name


class CompileWatch:
    """Listens to the compilations of this process, from `start` to `stop`.

    The listener is registered with the process's JAX, for all threads: what compiles is counted, whoever asked for it.
    """

    def __init__(self) -> None:
        self._seen: list[Compile] = []
        self._misses = CacheMisses()

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


class CompileCount:
    """The number of compiles in a `with count_compiles()` block: `compiles()`, inside the block and after it.

    Args:
        watch: What listens.
        name: Name of the function whose compiles count, or an empty string for all.
    """

    def __init__(self, watch: CompileWatch, name: str) -> None:
        self._watch = watch
        self._name = name

    def __call__(self) -> int:
        """Returns the number of compiles so far."""
        return len(self.events)

    @property
    def events(self) -> tuple[Compile, ...]:
        """Each of them, in order."""
        return tuple(event for event in self._watch.seen if self._name in ("", event.function))

    def causes(self) -> str:
        """Says in one line each what was compiled and why, as far as JAX tells."""
        return "\n".join(f"{event.function}: {event.cause or 'compiled'}" for event in self.events)


@contextmanager
def count_compiles(of: str | Callable[..., Any] = "") -> Iterator[CompileCount]:
    """Counts what JAX compiles inside a `with` block.

    Without a name everything counts, also small operations such as `jnp.ones` and the building of arguments: make the
    arguments before the block.

    Args:
        of: A function, or its name, whose compiles alone count. A lambda's name is `<lambda>`.

    Yields:
        A function that returns the number; its `causes()` says why JAX had to compile.
    """
    watch = CompileWatch()
    watch.start()
    try:
        with watch.misses:
            yield CompileCount(watch, of if isinstance(of, str) else of.__name__)
    finally:
        watch.stop()
