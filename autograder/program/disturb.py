"""Changes to a program, in place, that show what one conditional or loop does to the outputs.

Data flow alone believes a decoy (`0 * switch(...)`). So the results of a branch or a loop are replaced by sentinels,
the program runs again, and its outputs are compared with the undisturbed ones. The changed program takes further
`int32` scalar inputs behind its own, so that one compilation serves all branches and both sentinels.

A disturbed value can make a loop that waits for it endless. Every loop whose condition depends on it therefore ends
after `MOST_TRIPS` iterations at the latest; other loops are left as they are.

XLA may fuse a changed program in another way, so that outputs which do not depend on the change differ in the last
bits: compare with a tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from autograder.program.flow import Flow, decides
from autograder.program.module import LOOP, Value, blocks, sites, terminator
from autograder.program.rewrite import (
    NotReachable,
    add_inputs,
    at_start,
    compare,
    count_carried,
    hand_out,
    number,
    return_only,
)
from autograder.program.sentinels import sentinel

MOST_TRIPS = 10_000
ALL_BRANCHES = -1


def disturb_conditional(entry: ir.Operation, op: ir.Operation) -> None:
    """Makes the branches of a conditional return sentinels.

    Two further inputs: the branch to disturb, or `ALL_BRANCHES`; and which of the sentinels, 0 or 1.
    """
    branch, variant = add_inputs(entry, 2)
    stand_ins = _stand_ins(entry, [result.type for result in op.results], variant)
    for place, block in enumerate(blocks(op)):
        last = terminator(block)
        with ir.InsertionPoint(last):
            this, every = compare(branch, "EQ", number(place)), compare(branch, "EQ", number(ALL_BRANCHES))
            here = stablehlo.or_(this, every)
            for index, value in enumerate(list(last.operands)):
                last.operands[index] = stablehlo.select(here, stand_ins[index], value)
    _cap_loops(entry, stand_ins)


def disturb_loop(entry: ir.Operation, op: ir.Operation) -> None:
    """Puts sentinels in the place of a loop's results. One further input: which of the sentinels, 0 or 1."""
    (variant,) = add_inputs(entry, 1)
    stand_ins = _stand_ins(entry, [result.type for result in op.results], variant)
    for result, stand_in in zip(op.results, stand_ins, strict=True):
        result.replace_all_uses_with(stand_in)
    _cap_loops(entry, stand_ins)


def choose_branch(entry: ir.Operation, op: ir.Operation) -> None:
    """Makes a conditional take the branch that one further input names, whatever its index says."""
    (branch,) = add_inputs(entry, 1)
    if op.name == "stablehlo.if":
        with at_start(entry):
            op.operands[0] = compare(branch, "EQ", number(0))
    else:
        op.operands[0] = branch
    _cap_loops(entry, list(op.results))


def limit_loop(entry: ir.Operation, op: ir.Operation) -> None:
    """Ends a loop after as many iterations as one further input says, if it did not end before."""
    (most,) = add_inputs(entry, 1)
    limited = _limit(op, most)
    _cap_loops(entry, list(limited.results))


def count_trips(entry: ir.Operation, op: ir.Operation) -> None:
    """Makes the number of times that a loop's body ran, over the whole run of the program, its only output.

    Raises:
        NotReachable: The loop stands in the condition of another one, or in a reducer.
    """
    place = count_carried(op)
    while (outer := place.parent) is not None and outer.operation != entry:
        place = hand_out(outer.operation, place.block, list(place.results)[-1])
    return_only(entry, list(place.results)[-1])


def _stand_ins(entry: ir.Operation, kinds: Sequence[ir.Type], variant: Value) -> list[Value]:
    """Makes, at the start of the program, a value per type that is the first or the second sentinel."""
    with at_start(entry):
        second = compare(variant, "EQ", number(1))
        return [stablehlo.select(second, sentinel(kind, 1), sentinel(kind, 0)) for kind in kinds]


def _cap_loops(entry: ir.Operation, sources: Iterable[Value]) -> None:
    """Ends the loops whose condition depends on changed values after `MOST_TRIPS` iterations."""
    changed = Flow(entry).reach(sources)
    for op, _ in sites(entry):
        if op.name == LOOP and decides(op) in changed:
            with ir.InsertionPoint(op):
                most = number(MOST_TRIPS)
            _limit(op, most)


def _limit(loop: ir.Operation, most: Value) -> ir.Operation:
    """Builds a loop anew that ends after `most` iterations at the latest."""
    counted = count_carried(loop)
    condition = blocks(counted)[0]
    last = terminator(condition)
    with ir.InsertionPoint(last):
        fewer = compare(condition.arguments[len(condition.arguments) - 1], "LT", most)
        last.operands[0] = stablehlo.and_(last.operands[0], fewer)
    return counted


__all__ = [
    "ALL_BRANCHES",
    "MOST_TRIPS",
    "NotReachable",
    "choose_branch",
    "count_trips",
    "disturb_conditional",
    "disturb_loop",
    "limit_loop",
]
