"""What went wrong in the student's code is reduced to facts: a reason, the exception's class, the cell and the line."""

from __future__ import annotations

import inspect
import linecache
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from autograder.faults import RaisedFault
from autograder.wire import bounded, raised

_TEXT = 2000


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the student's code something happened.

    Attributes:
        cell: `In[3]`, or an empty string when the code came from no cell.
        line: Line in the cell, from 1; 0 when it is not known.
        text: The line itself.
    """

    cell: str = ""
    line: int = 0
    text: str = ""


def place_of(trace: TracebackType | None, namespace: Mapping[str, Any]) -> Place:
    """Finds the innermost frame of the student's code: one whose globals are the student's namespace."""
    place = Place()
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if trace.tb_frame.f_globals is namespace:
            place = Place(_cell(file), trace.tb_lineno, linecache.getline(file, trace.tb_lineno).strip())
        trace = trace.tb_next
    return place


def _cell(filename: str) -> str:
    """Returns IPython's name of a cell, `In[3]`; no other file name is told, since it may be a path of the machine."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    known = shell.compile.format_code_name(filename) if shell is not None else None
    return str(known[1]) if known else ""


def translate(error: BaseException, name: str, namespace: Mapping[str, Any]) -> RaisedFault:
    """Makes a fault of an exception that the student's code raised.

    Args:
        error: The exception; its class and its text may be the student's own.
        name: The student's function.
        namespace: The student's globals, by which their frames are known.
    """
    kind = bounded(lambda: type(error).__name__, 100)
    text = bounded(lambda: str(error), _TEXT)
    place = place_of(error.__traceback__, namespace)
    reason = _reason(error, text, place)
    detail = f"{kind}: {text}" + (f"\n{place.text}" if place.text else "")
    return raised(reason, name=name, type=kind, cell=place.cell, line=place.line, detail=detail)


def _reason(error: BaseException, text: str, place: Place) -> str:
    """Tells apart what JAX and Python report by the same class; their texts are read for words, never for marks."""
    if type(error) is NotImplementedError and (not text or place.text.startswith("raise NotImplementedError")):
        return (
            "unanswered"  # JAX raises the same class for what it cannot do, with a text and outside the student's code
        )
    if isinstance(error, ValueError) and text.startswith("Non-hashable static arguments"):
        return "static"
    if isinstance(error, TypeError) and "not a valid JAX type" in text:
        return "result"
    return "raised"


def check_signature(function: Callable[..., Any], name: str, *, count: int, keywords: Iterable[str]) -> None:
    """Raises when a function cannot take so many arguments, before any of its code runs.

    Args:
        function: The student's function.
        name: Its name.
        count: Number of positional arguments.
        keywords: Names of keyword arguments.
    """
    try:
        signature = inspect.signature(function)
    except Exception:  # made in C, or whatever a class of the student's raises: the call will show
        return
    try:
        inspect.Signature.bind(signature, *[None] * count, **dict.fromkeys(keywords))
    except TypeError as error:
        raise raised("signature", name=name, type="TypeError", detail=str(error)) from None
