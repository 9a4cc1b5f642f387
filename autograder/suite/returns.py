"""What a program must return: a number of values, or their shapes and kinds, so that a suite can unpack them."""

from __future__ import annotations

from autograder.faults import StudentFault
from autograder.suite.avals import Aval

Returns = int | Aval | tuple[Aval, ...] | None
"""A number of flat results, an aval for a single one, a tuple of avals, or `None` for anything but nothing."""


def assert_returns(name: str, found: tuple[Aval, ...], returns: Returns) -> None:
    """Asserts number, shapes and kinds of the outputs; precision and weak types are free."""
    if returns is None:
        if not found:
            raise StudentFault(f"`{name}` returns nothing.", remedy="Is a `return` missing?")
        return
    wanted = (returns,) if isinstance(returns, Aval) else returns
    number = wanted if isinstance(wanted, int) else len(wanted)
    if len(found) != number:
        came = ", ".join(map(str, found)) or "nothing"
        values = "one value" if number == 1 else f"{number} values"
        raise StudentFault(f"`{name}` should return {values}, but returns {came[:200]}.")
    if isinstance(wanted, int):
        return
    for place, (got, want) in enumerate(zip(found, wanted, strict=True)):
        which = f"Result {place + 1} of `{name}`" if number > 1 else f"The result of `{name}`"
        if got.shape != want.shape:
            raise StudentFault(f"{which} has shape {got.shape}; {want.shape} was expected.")
        if got.kind != want.kind:
            raise StudentFault(f"{which} has dtype {got.dtype}; one of kind {want.kind} was expected.")
