"""One artifact in the replay box: it is run, described, changed and run again; what comes back is read as hostile."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder import wire
from autograder.faults import CourseFault, TamperFault
from autograder.program.structure import Structure, read_structure
from autograder.suite.asking import Asker, read
from autograder.suite.avals import Aval, fit, leaves
from autograder.suite.disturbing import changed

Inputs = Sequence[tuple[Any, ...]]
Outputs = tuple[Any, ...]


class Replayed:
    """A serialised program with the type that the student's kernel announced for it.

    Every request carries the artifact, so that a replay box that was replaced goes on where the last one ended.

    Args:
        asker: Both links and the deadline of the running test.
        artifact: The serialised program; the grader carries it, and never reads it.
        name: Name of the function, for messages.
        in_avals: The flat arguments that it takes.
        out_avals: The flat results that it claims to return.
    """

    def __init__(
        self, asker: Asker, artifact: bytes, *, name: str, in_avals: tuple[Aval, ...], out_avals: tuple[Aval, ...]
    ) -> None:
        self._asker = asker
        self._artifact = artifact
        self._name = name
        self._in_avals = in_avals
        self._out_avals = out_avals
        self._type = {"in_avals": _forms(in_avals), "out_avals": _forms(out_avals)}
        self._undisturbed: dict[tuple[bytes, ...], Outputs] = {}
        self._changed: dict[tuple[str, tuple[bytes, ...]], list[list[Outputs]]] = {}

    def describe(self) -> Structure:
        """Returns what the program consists of.

        Raises:
            TamperFault: It takes or returns something else than the student's kernel said.
        """
        reply = self._asker.replay("describe", [self._artifact], **self._type)
        structure = read_structure(reply.content.get("structure"))
        found = {"in_avals": _forms(structure.in_avals), "out_avals": _forms(structure.out_avals)}
        if found != self._type:
            raise TamperFault(f"The program of `{self._name}` has another type than its kernel said.")
        return structure

    def run(self, inputs: Inputs) -> list[Outputs]:
        """Returns the flat outputs for every argument tuple."""
        trees, buffers = self._written(inputs)
        reply = self._asker.replay("run", buffers, inputs=trees, **self._type)
        return self._read(reply.content.get("outputs"), len(trees), reply.buffers)

    def changed(self, target: Mapping[str, Any], inputs: Inputs) -> list[frozenset[int]]:
        """Returns for every argument tuple the outputs that differ once the target is changed, in any of its runs."""
        runs = self.run_changed(target, inputs)
        before = self._as_it_is(inputs)
        return [frozenset().union(*(changed(was, run[place]) for run in runs)) for place, was in enumerate(before)]

    def _as_it_is(self, inputs: Inputs) -> list[Outputs]:
        """Returns the flat outputs for every argument tuple; the program is run on each of them once."""
        keys = [tuple(map(_bytes, leaves(arguments))) for arguments in inputs]
        if new := {key: arguments for key, arguments in zip(keys, inputs, strict=True) if key not in self._undisturbed}:
            self._undisturbed |= zip(new, self.run(list(new.values())), strict=True)
        return [self._undisturbed[key] for key in keys]

    def run_changed(self, target: Mapping[str, Any], inputs: Inputs) -> list[list[Outputs]]:
        """Returns for each run of a changed program, one or two by its target, the flat outputs for every tuple.

        The same question has the same answer, so that it is asked once.
        """
        trees, buffers = self._written(inputs)
        question = json.dumps([dict(target), trees], sort_keys=True), tuple(buffers)
        if question not in self._changed:
            self._changed[question] = self._ask_changed(target, trees, buffers)
        return self._changed[question]

    def _ask_changed(
        self, target: Mapping[str, Any], trees: Sequence[Any], buffers: Sequence[bytes]
    ) -> list[list[Outputs]]:
        reply = self._asker.replay("disturb", buffers, inputs=list(trees), target=dict(target), **self._type)
        outputs = read(reply.content, "outputs", list)
        if len(outputs) != (2 if target["kind"] in ("branch", "conditional", "loop") else 1):
            raise _malformed()
        return [self._read(run, len(trees), reply.buffers) for run in outputs]

    def trips(self, loop: int, inputs: Inputs) -> list[int] | None:
        """Returns how often the body of a loop ran for every argument tuple; `None` if that cannot be counted."""
        trees, buffers = self._written(inputs)
        reply = self._asker.replay("trips", buffers, inputs=trees, id=loop, **self._type)
        trips = reply.content.get("trips")
        if trips is None:
            return None
        if not isinstance(trips, list) or len(trips) != len(trees) or not all(type(n) is int for n in trips):
            raise _malformed()
        return trips

    def _written(self, inputs: Inputs) -> tuple[list[Any], list[bytes]]:
        """Returns the flat arguments of every run as trees, and all buffers, the artifact first."""
        buffers = [self._artifact]
        trees = []
        for arguments in inputs:
            given = leaves(arguments)
            if len(given) != len(self._in_avals):
                raise CourseFault(
                    f"The suite runs `{self._name}` with {len(given)} arguments; it exported {len(self._in_avals)}."
                )
            flat = [fit(value, aval) for value, aval in zip(given, self._in_avals, strict=True)]
            trees.append(wire.encode(flat, into=buffers, numpy_as="numpy")[0])
        return trees, buffers

    def _read(self, trees: Any, number: int, buffers: Sequence[bytes]) -> list[Outputs]:
        """Reads the flat outputs of every run and holds them against what the program claims to return."""
        if not isinstance(trees, list) or len(trees) != number:
            raise _malformed()
        runs = []
        for tree in trees:
            flat = wire.decode(tree, buffers)
            if not isinstance(flat, list) or not all(isinstance(leaf, np.ndarray | np.generic) for leaf in flat):
                raise _malformed()
            if tuple(Aval(leaf.dtype.name, leaf.shape) for leaf in flat) != self._out_avals:
                raise TamperFault(f"The program of `{self._name}` returns something else than its kernel said.")
            runs.append(tuple(leaf[()] for leaf in flat))
        return runs


def _bytes(leaf: Any) -> bytes:
    array = np.asarray(leaf)
    return array.dtype.str.encode() + array.tobytes()


def _forms(avals: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"dtype": aval.dtype, "shape": list(aval.shape)} for aval in avals]


def _malformed() -> TamperFault:
    return TamperFault("The answer of the replay box is not of the agreed form.")
