"""Whether a function is pure: it depends on nothing but its arguments, and leaves nothing behind.

A purity is what the student's kernel says of its own code. What a function computes is proved by its exported program;
this can only be observed, like a compile count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.faults import StudentFault, TamperFault
from autograder.suite.asking import read

MAX_NAMES = 100
MAX_NAME = 200
MAX_SHOWN = 4

_EFFECTS = ("same", "changed", "raised")


@dataclass(frozen=True, slots=True)
class Purity:
    """What the student's kernel found about one of its functions.

    Attributes:
        function: Name of the function.
        traced: Whether it was traced for abstract arguments; otherwise it was called with values.
        depends_on: Globals whose change or absence changed or broke it: those named like a parameter, and those that
            hold arrays. Every other number, function or module is a constant.
        changed: Globals that it changed while it was traced or called, or functions whose closure it changed.
        printed: What it printed meanwhile; `jax.debug.print` is silent while a function is traced.
        repeatable: Whether two fresh runs came to the same.
    """

    function: str
    traced: bool
    depends_on: tuple[str, ...]
    changed: tuple[str, ...]
    printed: str
    repeatable: bool

    def assert_depends_on_arguments(self) -> None:
        """Asserts that nothing but its arguments decides what the function does.

        Raises:
            StudentFault: It depends on a global, or comes to something else each time.
        """
        if self.depends_on:
            raise StudentFault(
                f"`{self.function}` depends on {_shown(self.depends_on)}: with another value there, or with none, "
                "it no longer does the same."
            )
        if not self.repeatable:
            raise StudentFault(f"`{self.function}` comes to something else each time it is {self._run}.")

    def assert_leaves_nothing(self) -> None:
        """Asserts that the function has no side effects.

        What a trace prints is one, since it appears once and never again. A function that is called may print.

        Raises:
            StudentFault: It changes a global or a closure, or prints while it is traced.
        """
        if self.changed:
            raise StudentFault(f"`{self.function}` changes {_shown(self.changed)} while it is {self._run}.")
        if self.traced and self.printed:
            raise StudentFault(
                f"`{self.function}` prints while it is traced.", remedy="Print with `jax.debug.print`, or not at all."
            )

    @property
    def _run(self) -> str:
        return "traced" if self.traced else "called"


def read_purity(content: Mapping[str, Any], function: str, *, traced: bool) -> Purity:
    """Reads the answer of the student's kernel.

    Args:
        content: The answer.
        function: Name of the function that was asked about.
        traced: Whether an argument was abstract.

    Raises:
        TamperFault: It is not of the form that our agent gives.
    """
    depends_on = []
    for item in read(content, "depends_on", list):
        if not isinstance(item, dict) or any(item.get(key) not in _EFFECTS for key in ("poisoned", "deleted")):
            raise _malformed()
        depends_on.append(item.get("name"))
    return Purity(
        function=function,
        traced=traced,
        depends_on=_names(depends_on),
        changed=_names(read(content, "changed", list)),
        printed=read(content, "printed", str)[:MAX_NAME],
        repeatable=read(content, "repeatable", bool),
    )


def _names(found: list[Any]) -> tuple[str, ...]:
    if len(found) > MAX_NAMES or not all(type(name) is str and len(name) <= MAX_NAME + 3 for name in found):
        raise _malformed()
    return tuple(found)


def _shown(names: tuple[str, ...]) -> str:
    """Names a few globals, a `#` for each digit: a kernel could name one after an input of a call.

    What is no name of Python's is not repeated.
    """
    known = [
        f"the global variable `{''.join('#' if c.isdigit() else c for c in name)}`"
        for name in names
        if name.isidentifier() and len(name) <= MAX_NAME
    ]
    shown = known[:MAX_SHOWN] or ["what it keeps between its runs"]
    return ", ".join([*shown, *(["others"] if len(known) > MAX_SHOWN else [])])


def _malformed() -> TamperFault:
    return TamperFault("The answer of the student's kernel about purity is not of the agreed form.")
