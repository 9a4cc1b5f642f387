"""Calls that a student wrote down are read as data, and made here: by a function of the course, on the JAX that grades.

What crosses is arrays, numbers and strings, so that nothing of the student's runs in making them. The numbers in an
array do not matter to JAX's cache; its shape, dtype and weak type do, and arrive as they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from jax import device_put, lax
from jax.tree_util import tree_leaves

from autograder import wire
from autograder.faults import StudentFault
from autograder.link import Answer
from autograder.tools.calls import Call
from autograder.wire import Kind, Opaque

MOST_ELEMENTS = 10_000
MOST_LEAVES = 100
"""How much one call may hold: far more than an experiment needs, and little enough to be compiled at once."""


def read_calls(answer: Answer, name: str) -> tuple[Call, ...]:
    """Reads a list of calls.

    Args:
        answer: What the student's kernel says of the variable.
        name: The variable.

    Raises:
        StudentFault: It is no list of calls, or one of their arguments cannot be used here.
    """
    value = wire.decode(answer.content.get("value"), answer.buffers, as_array=_as_argument)
    if not isinstance(value, list | tuple) or _is_call(value):
        remedy = f"Write `{name} = [call(...), call(...)]`."
        raise StudentFault(f"`{name}` should be a list of calls.", remedy=remedy)
    if value and all(entry is None for entry in value):
        raise wire.raised("unanswered", name=name)
    return tuple(_call(entry, f"Call {number} of `{name}`") for number, entry in enumerate(value, start=1))


def _as_argument(array: np.ndarray[Any, Any], kind: Kind, weak: bool) -> Any:
    """Makes an argument that JAX sees as the student's JAX saw it."""
    if array.size > MOST_ELEMENTS:
        raise StudentFault(f"An array has {array.size} elements; {MOST_ELEMENTS} are more than enough to show it.")
    if kind != "jax":
        return array[()] if kind == "scalar" else array.copy()
    if weak:  # of a Python number JAX makes a weak array, and it stays weak in another shape
        return lax.broadcast(device_put(np.ones((), array.dtype).item()), array.shape)
    return device_put(array)


def _is_call(entry: Any) -> bool:
    """Tells whether an entry is a `call(...)`, which crosses as its two fields."""
    return isinstance(entry, tuple) and len(entry) == 2 and type(entry[0]) is tuple and type(entry[1]) is dict


def _call(entry: Any, what: str) -> Call:
    if not _is_call(entry):
        raise StudentFault(f"{what} is no `call(...)`.", remedy="Write `call(x)` in place of `f(x)`.")
    args, kwargs = entry
    leaves = tree_leaves((args, list(kwargs.values())))
    if len(leaves) > MOST_LEAVES:
        raise StudentFault(f"{what} has more arguments than anyone can look at.")
    if any(isinstance(leaf, Opaque) for leaf in leaves) or not all(type(key) is str for key in kwargs):
        raise StudentFault(
            f"{what} has an argument that cannot be used.", remedy="Use arrays, numbers, strings, and lists of them."
        )
    return Call(args, kwargs)
