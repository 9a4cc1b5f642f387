"""What went wrong in the student's code is told in words, with the exception's class, the cell and the line."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from jax import errors

from autograder.faults import RaisedFault
from autograder.wire import bounded

_TEXT = 1000

TRACED: tuple[tuple[type[BaseException], str, str], ...] = (
    (
        errors.TracerBoolConversionError,
        "a Python `if`, `while`, `and`, `or` or `not` asks whether a traced value is true",
        "While JAX traces, a value is not known yet: branch with `lax.cond`, `lax.switch` or `jnp.where`, and loop with "
        "`lax.while_loop`.",
    ),
    (
        errors.TracerIntegerConversionError,
        "a traced value is used where Python needs an integer, such as `range(...)` or a list's index",
        "Loop with `lax.fori_loop`, or index a `jnp` array instead of a list.",
    ),
    (
        errors.TracerArrayConversionError,
        "a traced value is handed to NumPy",
        "Use `jax.numpy` in place of `numpy` inside the function.",
    ),
    (
        errors.ConcretizationTypeError,
        "the value of a traced argument is needed while JAX traces, as by `float(...)` or `int(...)`",
        "Stay with arrays: `x.astype(...)` in place of `float(x)`.",
    ),
    (
        errors.UnexpectedTracerError,
        "a traced value was kept outside the function and used again",
        "Return values from a function; do not store them in globals or lists.",
    ),
)
"""Errors of tracing: class, what it means, what to try. Subclasses stand before their base."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the student's code something happened.

    Attributes:
        cell: `In[3]`, or an empty string when the code came from no cell.
        line: Line in the cell, from 1; 0 when it is not known.
        function: Name of the function, or an empty string.
        text: The line itself.
    """

    cell: str = ""
    line: int = 0
    function: str = ""
    text: str = ""


def place_of(trace: TracebackType | None, namespace: Mapping[str, Any]) -> Place:
    """Finds the innermost frame of the student's code: one whose globals are the student's namespace."""
    place = Place()
    while trace is not None:
        code = trace.tb_frame.f_code
        if trace.tb_frame.f_globals is namespace:
            text = linecache.getline(code.co_filename, trace.tb_lineno).strip()
            place = Place(_cell(code.co_filename), trace.tb_lineno, code.co_name, text)
        trace = trace.tb_next
    return place


def _cell(filename: str) -> str:
    """Returns IPython's name of a cell, `In[3]`; no other file name is shown, since it may be a path of the machine."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    known = shell.compile.format_code_name(filename) if shell is not None else None
    return str(known[1]).replace(" ", "") if known else ""


def translate(error: BaseException, name: str, namespace: Mapping[str, Any], *, quote: bool) -> RaisedFault:
    """Makes a fault of an exception that the student's code raised.

    Args:
        error: The exception; its class and text may be the student's own.
        name: The student's function.
        namespace: The student's globals, by which their frames are known.
        quote: Whether the message may hold the exception's own text: not where the code was given hidden inputs.
    """
    kind = bounded(lambda: type(error).__name__, 100)
    text = bounded(lambda: str(error), _TEXT)
    place = place_of(error.__traceback__, namespace)
    where = f"line {place.line}{f' of {place.cell}' if place.cell else ''}" if place.line else ""
    facts: dict[str, Any] = {"type": kind, "cell": place.cell, "line": place.line, "detail": text}
    if type(error) is NotImplementedError and (not text or place.text.startswith("raise NotImplementedError")):
        return RaisedFault(f"`{name}` is not answered yet.", **facts)
    if type(error) is NotImplementedError:
        facts["type"] = "jax.NotImplementedError"  # the bare name means "not answered yet"
    meaning, remedy = explain(error, text)
    message = f"`{name}` raised {kind}" + (f" at {where}" if where else "")
    if place.text:
        message += f" (`{bounded(lambda: place.text, 120)}`)"
    if meaning:
        return RaisedFault(f"{message}: {meaning}.", remedy=remedy, **facts)
    first = text.strip().splitlines()[0] if quote and text.strip() else ""
    return RaisedFault(f"{message}: {first}" if first else f"{message}.", remedy=remedy, **facts)


def explain(error: BaseException, text: str) -> tuple[str, str]:
    """Returns what an exception of JAX means and what to try; two empty strings for any other."""
    for kind, meaning, remedy in TRACED:
        if isinstance(error, kind):
            return meaning, remedy
    if isinstance(error, ValueError) and text.startswith("Non-hashable static arguments"):
        return (
            "an argument is static that has to be traced",
            "Remove it from `static_argnums` or `static_argnames`: a static argument recompiles for every new value.",
        )
    if isinstance(error, TypeError) and "not a valid JAX type" in text:
        return "it returns something that is no array", "Return arrays or numbers, or tuples of them."
    if isinstance(error, RecursionError):
        return "the recursion never ends", "Give the recursion an end, or use a loop of `lax`."
    return "", ""
