"""What went wrong in a student's code is told in sentences of our own, made where they are read.

A box reports facts: a reason, the class of the exception, a cell, a line. The exception's own text may hold what the
student's code was given, so it is kept for the staff.
"""

from __future__ import annotations

import builtins
import re

from autograder.faults import RaisedFault

UNANSWERED = "NotImplementedError"
"""Class of the exception that an empty answer of a handout raises."""

REASONS = {
    "raised": ("{who} raised {kind}{where}{meaning}.", ""),
    "unanswered": ("{who} is not answered yet.", ""),
    "undefined": ("{who} is not defined.", "Run the cell that defines it, and keep the name that the task gives."),
    "uncallable": ("{who} is no function.", "Keep the name that the task gives for the function alone."),
    "signature": ("{who} cannot be called with the arguments that the task names.", "Compare its `def` with the task."),
    "static": (
        "{who} makes an argument static that has to be traced.",
        "Remove it from `static_argnums` or `static_argnames`: a static argument is compiled anew for every value.",
    ),
    "callback": (
        "{who} calls back into Python, so that it is no program of its own.",
        "Compute with `jax.numpy` and `jax.lax` alone, without `pure_callback` and `io_callback`.",
    ),
    "size": (
        "{who} makes a program that is too large to be looked at.",
        "Loop with `jax.lax` in place of a long Python loop, and pass large arrays as arguments.",
    ),
    "result": (
        "{who} returns something that JAX has no array for.",
        "Return arrays or numbers, or a tuple of them.",
    ),
    "refused": (
        "{who} makes a program that cannot be graded.",
        "Write an ordinary function of `jax.numpy` and `jax.lax` that takes and returns arrays of fixed shapes.",
    ),
    "oversized": (
        "{who} makes a program that is too large.",
        "Loop with `jax.lax` instead of Python, and take large arrays as arguments instead of building them in.",
    ),
    "broken": ("{who} makes a program that fails when it is compiled or run.", ""),
}
"""What an agent may report: the sentence, and what to try."""

MEANINGS = {
    "TracerBoolConversionError": (
        "Python asks whether a traced value is true (`if`, `while`, `and`, `or`, `not`)",
        "While JAX traces, no value is known: branch with `lax.cond`, `lax.switch` or `jnp.where`, loop with "
        "`lax.while_loop`.",
    ),
    "TracerIntegerConversionError": (
        "a traced value stands where Python needs an integer, as in `range(...)` or a list's index",
        "Loop with `lax.fori_loop`, or index an array of `jax.numpy` instead of a list.",
    ),
    "TracerArrayConversionError": (
        "a traced value is handed to NumPy",
        "Use `jax.numpy` in place of `numpy` inside the function.",
    ),
    "ConcretizationTypeError": (
        "a traced value is needed while JAX traces, as by `float(...)`, `int(...)` or a shape",
        "Stay with arrays: `x.astype(...)` in place of `float(x)`; a shape must not depend on a value.",
    ),
    "NonConcreteBooleanIndexError": (
        "an array is indexed by a traced mask, so its size would depend on the values",
        "Keep the shape and choose with `jnp.where(mask, x, 0)`.",
    ),
    "UnexpectedTracerError": (
        "a traced value was kept outside the function and used again",
        "Return values from a function; do not store them in globals or lists.",
    ),
    "RecursionError": ("the recursion does not end", "Give it an end, or use a loop of `jax.lax`."),
    "KeyboardInterrupt": ("it was interrupted", ""),
    "SystemExit": ("it ends the program", "Do not call `exit()` or `quit()`."),
}
"""What an exception means in the student's terms, and what to try."""

KNOWN = frozenset(MEANINGS) | frozenset(
    {"JAXTypeError", "JAXIndexError", "JaxRuntimeError", "XlaRuntimeError", "KeyReuseError"}
    | {name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)}
)
"""Classes that may be named to the student: a name of the student's own could hold anything."""

_CELL = re.compile(r"In\[\d{1,6}\]|cell \d{1,6}")


def raised(
    reason: str, *, name: str = "", type: str = "", cell: str = "", line: int = 0, detail: str = ""
) -> RaisedFault:
    """Makes the fault of what an agent reports.

    Args:
        reason: A key of `REASONS`.
        name: The name that was asked for, or an empty string.
        type: Name of the exception's class; empty when there was none.
        cell: The cell, `In[3]` as a kernel counts or `cell 3` of the notebook; anything else is dropped.
        line: Line in the cell, from 1; 0 when it is not known.
        detail: The exception's own text, for the staff.
    """
    known = type if type in KNOWN else ""
    place = cell if _CELL.fullmatch(cell) else ""
    meaning, remedy = MEANINGS.get(known, ("", "")) if reason == "raised" else ("", "")
    sentence, advice = REASONS[reason]
    where = f"line {line}{f' of {place}' if place else ''}" if line else place
    message = sentence.format(
        who=f"`{name}`" if name else "The code",
        kind=known or "an exception",
        where=f" at {where}" if where else "",
        meaning=f": {meaning}" if meaning else "",
    )
    kind = {"unanswered": UNANSWERED, "undefined": "NameError"}.get(reason, "" if type == UNANSWERED else type)
    return RaisedFault(message, reason=reason, type=kind, cell=place, line=line, remedy=advice or remedy, detail=detail)
