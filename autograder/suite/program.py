"""An exported program: run on hidden inputs, and asked for its structure, where no student code runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from autograder import wire
from autograder.faults import CourseFault, StudentFault, TamperFault
from autograder.suite.asking import Asker, read
from autograder.suite.avals import Aval, fit, kind_of, leaves

Returns = int | Aval | tuple[Aval, ...] | None
Inputs = Sequence[tuple[Any, ...]]


class Program:
    """A function of the student, exported for abstract arguments.

    Args:
        asker: Both links and the deadline of the running test.
        artifact: The serialised program; the grader carries it, and never reads it.
        name: Name of the function.
        in_avals: The flat arguments that it takes.
        out_avals: The flat results that it claims to return.
        out_tree: How the function returned them, in words; comes from the student's kernel.
        primitives: How often each primitive occurs in its jaxpr; comes from the student's kernel.
        returns: What it must return; see `Function.export`.
    """

    def __init__(
        self,
        asker: Asker,
        artifact: bytes,
        *,
        name: str,
        in_avals: tuple[Aval, ...],
        out_avals: tuple[Aval, ...],
        out_tree: str = "",
        primitives: Mapping[str, int] | None = None,
        returns: Returns = None,
    ) -> None:
        self._asker = asker
        self._artifact = artifact
        self._returns = returns
        self.name = name
        self.in_avals = in_avals
        self.out_avals = out_avals
        self.out_tree = out_tree
        self.primitives = dict(primitives or {})
        _assert_returns(name, out_avals, returns)

    def __repr__(self) -> str:
        return f"<the program of the student's {self.name}>"

    def __call__(self, *args: Any) -> Any:
        """Runs it once; returns one NumPy value, or a tuple where it returns several or `returns` is a tuple."""
        return self.run([args])[0]

    def run(self, inputs: Inputs) -> list[Any]:
        """Runs it on many argument tuples in one request; results as in `program(...)`, in order."""
        single = len(self.out_avals) == 1 and not isinstance(self._returns, tuple)
        return [flat[0] if single else flat for flat in self._outputs("run", self._flat(inputs))]

    def assert_all_traced(self) -> None:
        """Asserts that the program takes every argument at run time and can run by itself: evidence beside a count."""
        arguments = tuple(np.ones(aval.shape, aval.numpy) for aval in self.in_avals)
        self._outputs("run", [list(arguments)])

    def _flat(self, inputs: Inputs) -> list[list[Any]]:
        """Returns the flat arguments of every run, each an array of exactly the exported dtype and shape."""
        flat = []
        for arguments in inputs:
            given = leaves(arguments)
            if len(given) != len(self.in_avals):
                raise CourseFault(
                    f"The suite runs `{self.name}` with {len(given)} arguments; it exported {len(self.in_avals)}."
                )
            flat.append([fit(value, aval) for value, aval in zip(given, self.in_avals, strict=True)])
        return flat

    def _outputs(self, op: str, inputs: list[list[Any]], **content: Any) -> list[tuple[Any, ...]]:
        buffers = [self._artifact]
        trees = [wire.encode(flat, into=buffers, numpy_as="numpy")[0] for flat in inputs]
        reply = self._asker.replay(op, buffers, inputs=trees, **content)
        return self._read(read(reply.content, "outputs", list), len(inputs), reply.buffers)

    def _read(self, trees: list[Any], number: int, buffers: Sequence[bytes]) -> list[tuple[Any, ...]]:
        """Reads the flat outputs of every run and holds them against what the program claims to return."""
        if len(trees) != number:
            raise TamperFault("The answer of the replay box has no proper `outputs`.")
        runs = []
        for tree in trees:
            flat = wire.decode(tree, buffers)
            if not isinstance(flat, list | tuple):
                raise TamperFault("The answer of the replay box has no proper `outputs`.")
            arrays = tuple(np.asarray(leaf)[()] for leaf in flat)
            found = tuple(Aval(leaf.dtype.name, leaf.shape) for leaf in arrays)
            if found != self.out_avals:
                raise TamperFault(f"The program of `{self.name}` returns something else than its kernel said.")
            runs.append(arrays)
        return runs


def _assert_returns(name: str, found: tuple[Aval, ...], returns: Returns) -> None:
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
        which = f"result {place + 1} of `{name}`" if number > 1 else f"the result of `{name}`"
        if got.shape != want.shape:
            raise StudentFault(f"{which[0].upper()}{which[1:]} has shape {got.shape}; {want.shape} was expected.")
        if got.kind != want.kind:
            raise StudentFault(
                f"{which[0].upper()}{which[1:]} has dtype {got.dtype}; one of kind {want.kind} was expected."
            )
