"""Changes to a program, in place, that show what one conditional or loop does to the outputs.

Data flow alone believes a decoy (`0 * switch(...)`). So the results of a branch or a loop are replaced by sentinels,
the program runs again, and its outputs are compared with the undisturbed ones. Or the program is made to take another
branch, or fewer iterations. The changed program takes further `int32` scalar inputs behind its own, so that one
compilation serves all such questions about one conditional or loop.

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
from autograder.program.module import LOOP, Value, blocks, listed, sites, terminator
from autograder.program.rewrite import (
    add_inputs,
    at_start,
    compare,
    count_carried,
    hand_out,
    number,
    output_also,
)
from autograder.program.sentinels import sentinel

MOST_TRIPS = 10_000

ALL_BRANCHES, NO_BRANCH = -1, -2
"""Beside the number of a branch: what to disturb in a conditional."""

AS_THE_INDEX_SAYS = -1
"""Beside the number of a branch: which of them a conditional takes."""

UNDISTURBED = 2
"""Beside the two sentinels, 0 and 1: what to put in the place of a loop's results."""


def disturb_conditional(entry: ir.Operation, op: ir.Operation) -> None:
    """Makes chosen branches of a conditional return sentinels, or makes it take a chosen branch.

    Three further inputs: the branch to disturb, `ALL_BRANCHES` or `NO_BRANCH`; which of the sentinels, 0 or 1; the
    branch to take, or `AS_THE_INDEX_SAYS`.
    """
    branch, variant, choice = add_inputs(entry, 3)
    stand_ins = _stand_ins(entry, [result.type for result in op.results], variant)
    for place, block in enumerate(blocks(op)):
        last = terminator(block)
        with ir.InsertionPoint(last):
            this, every = compare(branch, "EQ", number(place)), compare(branch, "EQ", number(ALL_BRANCHES))
            here = stablehlo.or_(this, every)
            for index, value in enumerate(list(last.operands)):
                last.operands[index] = stablehlo.select(here, stand_ins[index], value)
    with ir.InsertionPoint(op):
        wanted = compare(choice, "EQ", number(0)) if op.name == "stablehlo.if" else choice
        chosen = compare(choice, "GE", number(0))
        op.operands[0] = stablehlo.select(chosen, wanted, op.operands[0])
    _cap_loops(entry, [*stand_ins, *op.results])


def disturb_loop(entry: ir.Operation, op: ir.Operation) -> None:
    """Puts sentinels in the place of a loop's results, or ends it early.

    Three further inputs: which of the sentinels, 0 or 1, or `UNDISTURBED`; how many iterations there are at the most;
    and how many of the loops that wait for a changed value.
    """
    _disturb_loop(entry, op)


def disturb_and_count_loop(entry: ir.Operation, op: ir.Operation) -> None:
    """Does as `disturb_loop`, and makes the number of times that the body ran, over the whole run, the last output.

    Raises:
        NotReachable: The loop stands in the condition of another one.
    """
    _disturb_loop(entry, op, counted=True)


def _disturb_loop(entry: ir.Operation, op: ir.Operation, *, counted: bool = False) -> None:
    variant, most, most_of_others = add_inputs(entry, 3)
    stand_ins = _stand_ins(entry, [result.type for result in op.results], variant)
    loop = _limit(op, most)
    with ir.InsertionPoint(_after(loop)):
        kept = compare(variant, "EQ", number(UNDISTURBED))
        for result, stand_in in zip(loop.results, stand_ins, strict=False):  # the last result is the count
            shown = stablehlo.select(kept, result, stand_in)
            result.replace_all_uses_except(shown, shown.owner.operation)
    if counted:
        place = loop
        while (outer := place.parent) is not None and outer.operation != entry:
            place = hand_out(outer.operation, place.block, list(place.results)[-1])
        output_also(entry, list(place.results)[-1])
    _cap_loops(entry, [*stand_ins, *loop.results], most=most_of_others)


def _stand_ins(entry: ir.Operation, kinds: Sequence[ir.Type], variant: Value) -> list[Value]:
    """Makes, at the start of the program, a value per type that is the first or the second sentinel."""
    with at_start(entry):
        second = compare(variant, "EQ", number(1))
        return [stablehlo.select(second, sentinel(kind, 1), sentinel(kind, 0)) for kind in kinds]


def _after(op: ir.Operation) -> ir.Operation:
    """Returns the operation that follows in the same block."""
    rest = listed(op.block)
    return rest[rest.index(op) + 1]


def _cap_loops(entry: ir.Operation, sources: Iterable[Value], *, most: Value | None = None) -> None:
    """Ends the loops whose condition depends on changed values after so many iterations; `None` is `MOST_TRIPS`."""
    changed = Flow(entry).reach(sources)
    for op, _ in sites(entry):
        if op.name == LOOP and decides(op) in changed:
            with ir.InsertionPoint(op):
                cap = number(MOST_TRIPS) if most is None else most
            _limit(op, cap)


def _limit(loop: ir.Operation, most: Value) -> ir.Operation:
    """Builds a loop anew that ends after `most` iterations at the latest."""
    counted = count_carried(loop)
    condition = blocks(counted)[0]
    last = terminator(condition)
    with ir.InsertionPoint(last):
        fewer = compare(condition.arguments[len(condition.arguments) - 1], "LT", most)
        last.operands[0] = stablehlo.and_(last.operands[0], fewer)
    return counted
