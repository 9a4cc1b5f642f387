"""What a trace changes is found by looking at everything reachable before and after it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from itertools import islice
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_DEPTH = 6
_WIDTH = 2_000
_MOST = 20_000
_SHELLS_OWN = re.compile(r"__\w+__|_{1,3}|_i{1,3}|_\d+|_i\d+|_oh|_dh|_ih|_exit_code|In|Out|exit|quit|get_ipython|open")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was reachable at one moment.

    Attributes:
        tokens: What stood at each path: a kind and a value, size or identity, equal as long as nothing was changed.
        held: The objects themselves, so that no identity is used twice while the snapshot lives.
    """

    tokens: Mapping[Path, tuple[Any, ...]]
    held: tuple[Any, ...]

    def changed_since(self, before: Snapshot) -> tuple[str, ...]:
        """Returns the names of the globals, and of the closures, in which something changed."""
        paths = self.tokens.keys() | before.tokens.keys()
        return tuple(sorted({path[0] for path in paths if self.tokens.get(path) != before.tokens.get(path)}))


def is_shells_own(name: str) -> bool:
    """Tells whether a global is IPython's, such as `_`, `In` or `_3`."""
    return _SHELLS_OWN.fullmatch(name) is not None


def snapshot(namespace: MutableMapping[str, Any], function: Callable[..., Any]) -> Snapshot:
    """Records the student's globals, and what their functions hold in closures, defaults and attributes.

    Args:
        namespace: The student's globals.
        function: A function that may be reachable by no global.
    """
    tokens: dict[Path, tuple[Any, ...]] = {}
    held: list[Any] = []
    seen: set[int] = set()
    roots = {name: value for name, value in namespace.items() if not is_shells_own(name)} | {"(the function)": function}
    waiting: deque[tuple[Path, Any]] = deque(((name,), value) for name, value in roots.items())
    while waiting and len(tokens) < _MOST:
        path, value = waiting.popleft()
        tokens[path] = _token(value)
        held.append(value)
        if id(value) not in seen and len(path) < _DEPTH:
            seen.add(id(value))
            inside = islice(_inside(value, namespace.get("__name__")), _WIDTH)
            waiting.extend(((*path, key), inner) for key, inner in inside)
    return Snapshot(tokens, tuple(held))


def _token(value: Any) -> tuple[Any, ...]:
    """Returns what is the same as long as a value itself, without what it holds, is unchanged."""
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        return (kind, repr(value))
    if kind is tuple:
        return (kind, len(value))
    if kind in (list, dict, set, deque):
        return (id(value), len(value))
    if kind is np.ndarray and value.dtype != object:
        return (id(value), value.dtype.str, value.shape, value.tobytes())
    return (id(value),)


def _inside(value: Any, module: Any) -> Iterator[tuple[str, Any]]:
    """Yields what a value holds and student code may change: members, closures, defaults, attributes."""
    kind = type(value)
    if kind in (list, tuple, deque):
        yield from ((str(index), item) for index, item in enumerate(value))
    elif kind is dict:
        yield from ((key if type(key) is str else f"#{at}", item) for at, (key, item) in enumerate(value.items()))
    elif kind is set:
        yield "members", tuple(sorted(map(id, value)))
    elif kind is FunctionType:
        yield from ((f"closure {at}", cell) for at, cell in enumerate(_cells(value)))
        yield from ((f"default {at}", item) for at, item in enumerate(value.__defaults__ or ()))
        yield from list(vars(value).items())
    elif kind is MethodType:
        yield "self", value.__self__
    elif (value if isinstance(value, type) else kind).__module__ == module:  # a class of the student's, or its instance
        yield from list(getattr(value, "__dict__", {}).items())
    elif not isinstance(value, ModuleType) and callable(value):
        wrapped = getattr(value, "__wrapped__", None)  # a jitted function holds the student's own
        if wrapped is not None:
            yield "wrapped", wrapped


def _cells(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue
