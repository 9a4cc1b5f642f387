"""Calls that a student wrote down are read as data, and made here: by a function of the course, on the JAX that grades.

What crosses is arrays, numbers and strings, so that nothing of the student's runs in making them. The numbers in an
array do not matter to JAX's cache; its shape, dtype and weak type do, and arrive as they were.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from jax import device_put, lax
from jax.tree_util import tree_leaves, tree_map

from autograder import wire
from autograder.faults import StudentFault
from autograder.link import Answer
from autograder.tools.calls import Call
from autograder.wire import Kind, Opaque

MOST_ELEMENTS = 100_000
MOST_LEAVES = 100
"""How much one call may hold: far more than an experiment needs, and little enough to be compiled at once."""

MOST_IN_ALL = 1_000
"""How many values a list of calls may hold in all: JAX may compile something for each of them."""


@dataclass(frozen=True, slots=True)
class _Read:
    """An array as it was read; JAX has not seen it yet."""

    array: np.ndarray[Any, Any]
    kind: Kind
    weak: bool


def read_calls(answer: Answer, name: str) -> tuple[Call, ...]:
    """Reads a list of calls.

    Args:
        answer: What the student's kernel says of the variable.
        name: The variable.

    Raises:
        StudentFault: It is no list of calls, or one of their arguments cannot be used here.
    """
    value = wire.decode(answer.content.get("value"), answer.buffers, as_array=_Read)
    if not isinstance(value, list | tuple) or _is_call(value):
        remedy = f"Write `{name} = [call(...), call(...)]`."
        raise StudentFault(f"`{name}` should be a list of calls.", remedy=remedy)
    if value and all(entry is None for entry in value):
        raise wire.raised("unanswered", name=name)
    calls = [_call(entry, f"Call {number} of `{name}`") for number, entry in enumerate(value, start=1)]
    if sum(len(tree_leaves((call.args, call.kwargs))) for call in calls) > MOST_IN_ALL:
        raise StudentFault(f"`{name}` has more calls than anyone can look at.")
    return tuple(Call(*tree_map(_as_argument, (call.args, call.kwargs))) for call in calls)


def _as_argument(leaf: Any) -> Any:
    """Makes an argument that JAX sees as the student's JAX saw it."""
    if not isinstance(leaf, _Read):
        return leaf
    array = leaf.array
    if array.size > MOST_ELEMENTS:
        raise StudentFault(f"An array has {array.size} elements; {MOST_ELEMENTS} are more than enough to show it.")
    if leaf.kind != "jax":
        return array[()] if leaf.kind == "scalar" else array.copy()
    if leaf.weak:  # of a Python number JAX makes a weak array, and it stays weak in another shape
        return lax.broadcast(device_put(np.ones((), array.dtype).item()), array.shape)
    return device_put(array)


def _is_call(entry: Any) -> bool:
    """Tells whether an entry is a `call(...)`, which crosses as its two fields."""
    return isinstance(entry, tuple) and len(entry) == 2 and type(entry[0]) is tuple and type(entry[1]) is dict


def _call(entry: Any, what: str) -> Call:
    if not _is_call(entry):
        raise StudentFault(f"{what} is no `call(...)`.", remedy="Write `call(x)` in place of `f(x)`.")
    args, kwargs = entry
    try:
        leaves = tree_leaves((args, list(kwargs.values())))
    except (TypeError, ValueError) as error:  # of JAX, which sorts the keys of dictionaries
        message = f"{what} has a dictionary whose keys have no order."
        raise StudentFault(message, remedy="Use strings as keys.") from error
    if len(leaves) > MOST_LEAVES:
        raise StudentFault(f"{what} has more arguments than anyone can look at.")
    if any(isinstance(leaf, Opaque) for leaf in leaves) or not all(type(key) is str for key in kwargs):
        raise StudentFault(
            f"{what} has an argument that cannot be used.", remedy="Use arrays, numbers, strings, and lists of them."
        )
    return Call(args, kwargs)
