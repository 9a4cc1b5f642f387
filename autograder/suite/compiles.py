"""The number of compiles that a window saw, and their causes in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.faults import CourseFault, TamperFault
from autograder.suite.asking import read

MAX_EVENTS = 10_000
MAX_CAUSES = 4
MAX_CAUSE = 300
_NUMBER = re.compile(r"(?P<dtype>\b(?:bfloat|float|u?int|complex)(?:8|16|32|64|128)\b)|\d[\d.]*(?:e[+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Compile:
    """One compile.

    Attributes:
        name: Name of the function that was compiled, `newton_sqrt`; the student chooses it, so it proves nothing.
        cause: Why JAX had to compile, as it explains it; may be empty.
    """

    name: str
    cause: str


class CompileCount:
    """Gives the number of compiles once its window is closed: `compiles()`, or `compiles("step")` of one name."""

    def __init__(self) -> None:
        self._events: tuple[Compile, ...] | None = None

    @classmethod
    def of(cls, calls: Iterable[tuple[Compile, ...]]) -> CompileCount:
        """Returns the number of compiles of several calls together."""
        count = cls()
        count.end(tuple(event for events in calls for event in events))
        return count

    def end(self, events: tuple[Compile, ...]) -> None:
        """Takes what the window saw; called once, when it closes."""
        self._events = events

    @property
    def events(self) -> tuple[Compile, ...]:
        """Every compile in order."""
        if self._events is None:
            raise CourseFault(
                "The suite reads a compile count while its window is open.", remedy="Read it after the `with` block."
            )
        return self._events

    def __call__(self, name: str | None = None) -> int:
        """Returns how many compiles there were, of all functions or of those with this name."""
        return sum(name is None or event.name == name for event in self.events)

    def causes(self) -> str:
        """Says in a few lines what was compiled and why, without the numbers: the kernel may have been given them."""
        lines = Counter(_told(f"{event.name}: {event.cause}" if event.cause else event.name) for event in self.events)
        shown = [f"{line} ({times} times)" if times > 1 else line for line, times in lines.items()]
        more = len(shown) - MAX_CAUSES
        return "\n".join([*shown[:MAX_CAUSES], *([f"and {more} more causes"] if more > 0 else [])])


def read_counts(content: Mapping[str, Any], calls: int) -> list[tuple[Compile, ...]]:
    """Reads what each of so many calls compiled, of an answer to `compiles`.

    Raises:
        TamperFault: It is something else, or the kernel no longer sees compiles that it must see.
    """
    assert_canary(content)
    sections = read(content, "events", list)
    if len(sections) != calls:
        raise TamperFault("The answer of the student's kernel has no proper `events`.")
    return [read_events({"events": section}) for section in sections]


def assert_canary(content: Mapping[str, Any]) -> None:
    """Asserts that the kernel saw the compiles that certainly happened.

    Raises:
        TamperFault: It did not.
    """
    if not read(content, "canary", bool):
        raise TamperFault(
            "The kernel did not report a compile that certainly happened, so its compile counts mean nothing.",
            remedy="A person looks at what the notebook does to JAX's monitoring.",
        )


def read_events(content: Mapping[str, Any]) -> tuple[Compile, ...]:
    """Reads the events of a closed window; raises `TamperFault` if they are none."""
    events = read(content, "events", list)
    if len(events) > MAX_EVENTS:
        raise TamperFault("The kernel reports more compiles than it can have made.")
    found = []
    for event in events:
        if not isinstance(event, dict):
            raise TamperFault("The answer of the student's kernel has no proper `events`.")
        name = read(event, "name", str).removeprefix("jit(").removesuffix(")")
        found.append(Compile(name[:100], read(event, "cause", str)[:MAX_CAUSE]))
    return tuple(found)


def _told(text: str) -> str:
    """Returns what the kernel says, with a `#` for every number but those in the names of dtypes."""
    return _NUMBER.sub(lambda found: found["dtype"] or "#", text)
