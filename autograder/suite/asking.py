"""Asks the two agents on behalf of a test, with its deadline, and reads what comes back as hostile input."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from autograder.faults import RaisedFault, StudentFault, TamperFault
from autograder.link import Answer, Link
from autograder.suite.avals import Aval
from autograder.wire import DTYPES

MAX_RANK = 32


class Links(Protocol):
    """Both ways out of the grader."""

    @property
    def student(self) -> Link:
        """To the agent beside the student's definitions."""

    @property
    def replay(self) -> Link:
        """To the agent that runs exported programs."""


@dataclass(frozen=True, slots=True)
class LinkPair:
    """Two links, as `Links` asks for.

    Attributes:
        student: To the agent beside the student's definitions.
        replay: To the agent that runs exported programs.
    """

    student: Link
    replay: Link


class Asker:
    """Both links and the deadline of the test that asks now.

    Attributes:
        deadline: Seconds for each request; `None` leaves it to the link. Set by the test's `timeout` mark.
        printed: What the student's code printed during the last call; bounded by the agent, and theirs: never trusted.
        deleted: Places, among the leaves of the last call's arguments, of the arrays that it deleted, by its word.
    """

    def __init__(self, links: Links) -> None:
        self._links = links
        self._known: dict[tuple[str, str, tuple[bytes, ...]], Answer | RaisedFault] = {}
        self.deadline: float | None = None
        self.printed = ""
        self.deleted: tuple[int, ...] = ()

    def student(self, op: str, buffers: Sequence[bytes] = (), **content: Any) -> Answer:
        """Asks the agent in the student's kernel."""
        return self._links.student.ask({"op": op, **content}, buffers, timeout=self.deadline)

    def once(self, op: str, buffers: Sequence[bytes] = (), **content: Any) -> Answer:
        """Asks the student's kernel what a function is, once for all tests: later ones read the same answer or fault.

        A function that gave each check the program it asks for would earn marks that no single program earns.
        """
        key = (op, json.dumps(content, sort_keys=True), tuple(buffers))
        if key not in self._known:
            try:
                self._known[key] = self.student(op, buffers, **content)
            except RaisedFault as fault:  # a limit may have been bad luck, and is asked again
                self._known[key] = fault
        answer = self._known[key]
        if isinstance(answer, RaisedFault):
            raise answer.with_traceback(None)
        return answer

    def replay(self, op: str, buffers: Sequence[bytes], **content: Any) -> Answer:
        """Asks the agent that runs exported programs; the artifact is the first buffer."""
        return self._links.replay.ask({"op": op, **content}, buffers, timeout=self.deadline)


def read(content: Mapping[str, Any], key: str, kind: type | tuple[type, ...]) -> Any:
    """Returns `content[key]`, which must be of the given type.

    Raises:
        TamperFault: It is missing or of another type; no agent of ours answers so.
    """
    value = content.get(key)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise TamperFault(f"The answer of the student's kernel has no proper `{key}`.")
    return value


def read_avals(content: Mapping[str, Any], key: str) -> tuple[Aval, ...]:
    """Returns the list of avals at a key; raises `TamperFault` if it is not one."""
    found = []
    for item in read(content, key, list):
        dtype, shape = (item.get("dtype"), item.get("shape")) if isinstance(item, dict) else (None, None)
        sizes = isinstance(shape, list) and len(shape) <= MAX_RANK and all(type(n) is int and n >= 0 for n in shape)
        if not isinstance(dtype, str) or len(dtype) > 32 or not sizes:
            raise TamperFault(f"The answer of the student's kernel has no proper `{key}`.")
        if dtype not in DTYPES:
            raise StudentFault("The function takes or returns an array of a dtype that cannot be checked.")
        found.append(Aval(dtype, tuple(shape or ())))
    return tuple(found)


def read_places(content: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """Returns the ascending list of places at a key; raises `TamperFault` if it is not one."""
    places = read(content, key, list)
    if not all(type(place) is int and place >= 0 for place in places) or places != sorted(set(places)):
        raise TamperFault(f"The answer of the student's kernel has no proper `{key}`.")
    return tuple(places)
