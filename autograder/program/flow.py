"""Which values of a program depend on which others: edges from what is read to what is written, then reach.

Dependence through control counts: the result of a conditional depends on its index, that of a loop on its condition.
Edges that lead back (what a loop carries) need no special care, since reach in a graph is a fixpoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from jax.extend.mlir import ir

from autograder.program.module import CONDITIONALS, LOOP, Value, blocks, body, terminator, walk

Node: TypeAlias = "Value | ir.Operation"
"""A value; or an operation, on the way from all that it reads to all that it writes."""


class Flow:
    """The data flow of one function without calls.

    Args:
        entry: The function.
    """

    def __init__(self, entry: ir.Operation) -> None:
        self._after: dict[Node, list[Node]] = {}
        for op, _ in walk(body(entry)):
            for source, target in _edges(op):
                self._after.setdefault(source, []).append(target)
        self._reach = [self.reach([argument]) for argument in body(entry).arguments]

    def reach(self, sources: Iterable[Value]) -> set[Node]:
        """Returns everything that depends on one of the sources, and the sources."""
        waiting: list[Node] = list(sources)
        found = set(waiting)
        while waiting:
            for node in self._after.get(waiting.pop(), ()):
                if node not in found:
                    found.add(node)
                    waiting.append(node)
        return found

    def arguments_of(self, value: Value) -> tuple[int, ...]:
        """Returns which arguments of the function a value depends on, ascending."""
        return tuple(index for index, reached in enumerate(self._reach) if value in reached)


def decides(op: ir.Operation) -> Value:
    """Returns the value that decides which branch of a conditional runs, or whether a loop goes on."""
    value: Value = terminator(blocks(op)[0]).operands[0] if op.name == LOOP else op.operands[0]
    return value


def invariant(loop: ir.Operation, index: int) -> bool:
    """Tells whether a loop hands the value it carries at this index on unchanged."""
    inner = blocks(loop)[1]
    return bool(terminator(inner).operands[index] == inner.arguments[index])


def _edges(op: ir.Operation) -> Iterator[tuple[Node, Node]]:
    if op.name in CONDITIONALS:
        return _edges_of_conditional(op)
    if op.name == LOOP:
        return _edges_of_loop(op)
    if op.name == "stablehlo.optimization_barrier":
        return zip(op.operands, op.results, strict=True)
    return _edges_of_other(op)


def _edges_of_conditional(op: ir.Operation) -> Iterator[tuple[Node, Node]]:
    for result in op.results:
        yield op.operands[0], result
    for block in blocks(op):
        yield from zip(terminator(block).operands, op.results, strict=True)


def _edges_of_loop(op: ir.Operation) -> Iterator[tuple[Node, Node]]:
    """A carried value that no iteration changes does not depend on how many there are."""
    condition, inner = blocks(op)
    handed_on = list(terminator(inner).operands)
    for index, (start, result) in enumerate(zip(op.operands, op.results, strict=True)):
        for source in (start, handed_on[index]):
            yield source, condition.arguments[index]
            yield source, inner.arguments[index]
            yield source, result
        if handed_on[index] != inner.arguments[index]:
            yield op, result
    yield decides(op), op


def _edges_of_other(op: ir.Operation) -> Iterator[tuple[Node, Node]]:
    """Every result depends on every operand, and on what nested regions return (a reducer, a comparator)."""
    for operand in op.operands:
        yield operand, op
    for block in blocks(op):
        for argument in block.arguments:
            yield op, argument
        for returned in terminator(block).operands:
            yield returned, op
    for result in op.results:
        yield op, result
