"""Reads an answer that is data, such as a list of predictions, as what is plainly meant; the rest is explained.

Lists, tuples and arrays are all ways to write a list down; 1 and `numpy.True_` are ways to write `True`. What comes in
was read by `autograder.wire`, so that it is made of Python's and NumPy's own types alone, whatever the student defined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder import wire
from autograder.faults import StudentFault
from autograder.suite.assertions import sentence_case
from autograder.wire import Opaque

_SEPARATORS = re.compile(r"[\s_\-\u2010-\u2015]+")
"""Spaces, underscores, hyphens and dashes, which a word may have or lack."""


def as_entries(value: Any, count: int, *, name: str) -> tuple[Any, ...]:
    """Returns the entries of a list, a tuple or an array.

    Args:
        value: What the student's variable holds, as `student.value` gives it.
        count: How many entries there must be.
        name: Name of the variable.

    Raises:
        StudentFault: It is nothing of the kind, has another length, or not one of its entries is filled in.
    """
    remedy = f"Write `{name} = [...]` with {count} entries, in the order of the task."
    if not isinstance(value, list | tuple | np.ndarray) or (isinstance(value, np.ndarray) and value.ndim != 1):
        message = f"`{name}` should be a list of {count} entries, but is {_kind(value)}."
        raise StudentFault(message, remedy=remedy)
    if len(value) != count:
        found = f"{len(value)} {'entry' if len(value) == 1 else 'entries'}"
        raise StudentFault(f"`{name}` has {found}; {count} were expected.", remedy=remedy)
    entries = tuple(value)
    if all(_is_unfilled(entry) for entry in entries):
        raise wire.raised("unanswered", name=name)
    return entries


def as_bool(entry: Any, *, what: str) -> bool:
    """Returns an entry as a truth value: a bool, 0 or 1, also as NumPy or JAX have them.

    Args:
        entry: One entry of `as_entries`.
        what: The entry in words: `the prediction for call 3`.

    Raises:
        StudentFault: It is not filled in, or something else.
    """
    plain = _plain(entry, what)
    if isinstance(plain, bool | int | float) and plain in (0, 1):
        return bool(plain)
    found = "a number other than 0 and 1" if isinstance(plain, int | float) else _kind(plain)
    quotes = ", without quotes" if isinstance(plain, str) else ""
    raise StudentFault(
        f"{sentence_case(what)} is {found}; `True` or `False` was expected{quotes}.", remedy="Write `True` or `False`."
    )


def as_count(entry: Any, *, what: str) -> int:
    """Returns an entry as a number of things: 0 or a larger whole number, also as NumPy or JAX have it.

    Args:
        entry: One entry of `as_entries`.
        what: The entry in words: `the prediction for row E1`.

    Raises:
        StudentFault: It is not filled in, or something else; `True` is no number here.
    """
    plain = _plain(entry, what)
    whole = type(plain) is int or (type(plain) is float and plain.is_integer())
    if whole and plain >= 0:
        return int(plain)
    found = "no number of things" if type(plain) in (int, float) else _kind(plain)
    raise StudentFault(f"{sentence_case(what)} is {found}; a count was expected.", remedy="Write 0, 1, 2, ...")


def as_word(entry: Any, words: Sequence[str], *, what: str) -> str:
    """Returns the word of a closed list that an entry means; capitals, spaces, hyphens and underscores do not count.

    Args:
        entry: One entry of `as_entries`.
        words: The closed list.
        what: The entry in words: `the reason for call 3`.

    Raises:
        StudentFault: It is not filled in, no string, or none of the words.
    """
    plain = _plain(entry, what)
    listed = ", ".join(f'"{word}"' for word in words)
    remedy = "Write one word of the list, in quotes."
    if not isinstance(plain, str):
        raise StudentFault(
            f"{sentence_case(what)} is {_kind(plain)}; a string was expected, one of {listed}.", remedy=remedy
        )
    meant = [word for word in words if _letters(word) == _letters(plain)]
    if not meant:
        raise StudentFault(f"{sentence_case(what)} is none of the words to choose from: {listed}.", remedy=remedy)
    return meant[0]


def _plain(entry: Any, what: str) -> Any:
    """Returns an entry as Python has it, where it is a single value of NumPy or JAX."""
    if _is_unfilled(entry):
        raise StudentFault(f"{sentence_case(what)} is not filled in yet.")
    return entry.item() if isinstance(entry, np.ndarray | np.generic) and entry.shape == () else entry


def _is_unfilled(entry: Any) -> bool:
    return entry is None or (isinstance(entry, Opaque) and entry.type == "ellipsis")


def _letters(text: str) -> str:
    return _SEPARATORS.sub("", text.casefold())


def _kind(value: Any) -> str:
    """Names what an entry is instead; the name of a student's own class is not repeated."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    names = {
        bool: "a truth value",
        int: "a number",
        float: "a number",
        complex: "a number",
        str: "a string",
        bytes: "bytes",
        dict: "a dictionary",
        list: "a list of its own",
        tuple: "a tuple of its own",
        type(None): "`None`",
    }
    return names.get(type(value), "something else")
