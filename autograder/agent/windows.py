"""A compile window says what was compiled between two requests, and whether the counting could be trusted."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import numpy as np
from jax import jit

from autograder.tools.counting import Compile, CompileWatch


@dataclass(frozen=True, slots=True)
class Window:
    """An open window.

    Attributes:
        start: How many compilations had been seen when it opened.
        canary: Whether the compilation of the first canary was seen.
    """

    start: int
    canary: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """What a window saw.

    Attributes:
        compiles: Every compilation in it but the canaries' and the agent's own.
        canary: Whether both canaries were seen: if not, someone has tampered with the counting.
    """

    compiles: tuple[Compile, ...]
    canary: bool


class CompileWindows:
    """Counts compilations from its construction on, which has to be before the student's code runs."""

    def __init__(self) -> None:
        self._watch = CompileWatch()
        self._watch.start()
        self._open: dict[int, Window] = {}
        self._made = 0
        self._own: set[int] = set()

    def open(self) -> int:
        """Opens a window and returns its number."""
        self._made += 1
        if not self._open:
            self._watch.misses.__enter__()
        self._open[self._made] = Window(start=len(self._watch.seen), canary=self._canary())
        return self._made

    def seen(self, number: int) -> int:
        """Returns how many compilations an open window has seen so far, without the canary's and the agent's own."""
        return len(self._kept(self._open[number]))

    def close(self, number: int) -> Closed:
        """Closes a window.

        Raises:
            KeyError: No such window is open.
        """
        window = self._open.pop(number)
        seen = self._canary()
        if not self._open:
            self._watch.misses.__exit__(None, None, None)
        return Closed(self._kept(window), window.canary and seen)

    @contextmanager
    def unseen(self) -> Iterator[None]:
        """Leaves out of every window what the agent itself compiles."""
        start = len(self._watch.seen)
        try:
            yield
        finally:
            self._own.update(range(start, len(self._watch.seen)))

    def stop(self) -> None:
        """Ends the counting."""
        self._watch.stop()

    def _kept(self, window: Window) -> tuple[Compile, ...]:
        events = self._watch.seen
        return tuple(events[index] for index in range(window.start, len(events)) if index not in self._own)

    def _canary(self) -> bool:
        """Compiles a function of a random name and says whether the listener saw it.

        A random constant makes it a new program also for a persistent cache, which may not look at names; and a program
        that is nothing but a constant is the cheapest to compile.
        """
        constant = np.float32(secrets.randbits(24))

        def canary() -> np.float32:
            return constant

        canary.__name__ = canary.__qualname__ = f"canary_{secrets.token_hex(8)}"
        start = len(self._watch.seen)
        with self.unseen(), suppress(Exception):  # whoever breaks JAX itself silences the canary
            jit(canary)()
        return [compile.name for compile in self._watch.seen[start:]] == [f"jit({canary.__name__})"]
