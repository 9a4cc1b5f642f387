"""A call that is written down and not made yet: its arguments as they stand, by position and by keyword."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """The arguments of one call.

    Attributes:
        args: Those given by position.
        kwargs: Those given by keyword, by name.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def __repr__(self) -> str:
        named = (f"{name}={value!r}" for name, value in self.kwargs.items())
        return f"call({', '.join([*map(repr, self.args), *named])})"


def call(*args: Any, **kwargs: Any) -> Call:
    """Writes a call down: `call(x, mode="b")` stands for `f(x, mode="b")` of whatever function is called later."""
    return Call(args, kwargs)
