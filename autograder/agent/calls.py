"""A call runs the student's function as a student would, and keeps what it returned and what it printed."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from jax import Array, block_until_ready, effects_barrier, jit
from jax.tree_util import tree_leaves

PRINTED = 10_000
"""Characters kept of what one call prints."""


@dataclass(frozen=True, slots=True)
class Called:
    """What came of one call.

    Attributes:
        value: What it returned, computed to the end.
        printed: What it printed, at most `PRINTED` characters.
        deleted: Places, among the leaves of its arguments, of the arrays that are gone: donated, or deleted by hand.
    """

    value: Any
    printed: str
    deleted: tuple[int, ...] = ()


class BoundedText(io.TextIOBase):
    """A stream that keeps the beginning of what is written to it."""

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._parts: list[str] = []

    def writable(self) -> bool:
        """Says that the stream takes text."""
        return True

    def write(self, text: str, /) -> int:
        """Keeps what still fits, and claims to have written all of it."""
        kept = text[: self._left]
        self._left -= len(kept)
        self._parts.append(kept)
        return len(text)

    @property
    def text(self) -> str:
        """What was kept."""
        return "".join(self._parts)


def call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Called:
    """Calls a function and waits for its result, wherever in a structure the arrays lie."""
    printed = BoundedText(PRINTED)
    with redirect_stdout(printed):
        value = block_until_ready(function(*args, **kwargs))
        effects_barrier()  # `jax.debug.print` prints when its callback has run
    leaves = tree_leaves((args, dict(kwargs)))
    deleted = tuple(place for place, leaf in enumerate(leaves) if isinstance(leaf, Array) and leaf.is_deleted())
    return Called(value, printed.text, deleted)


class JittedOnce:
    """Keeps one jitted wrapper for each function, so that a second call finds the first one's program."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}

    def of(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the wrapper of a function; a new one when the name stands for another function by now."""
        kept = self._kept.get(name)
        if kept is None or kept[0] is not function:
            kept = self._kept[name] = (function, _jitted(name, function))
        return kept[1]


def _jitted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Jits a wrapper with no static argument, under the function's own name."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    wrapper.__name__ = wrapper.__qualname__ = name
    return jit(wrapper)
