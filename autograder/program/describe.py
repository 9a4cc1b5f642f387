"""Asks a program the small questions that its structure is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from jax.extend.mlir import ir

from autograder.program.flow import Flow, decides
from autograder.program.module import LOOP, blocks, body, sites, walk
from autograder.program.structure import Conditional, Loop, Structure
from autograder.program.trips import trip_count
from autograder.wire import Aval


def describe(
    entry: ir.Operation, *, in_avals: Sequence[Aval], out_avals: Sequence[Aval], kept: Sequence[int]
) -> Structure:
    """Describes a program.

    Args:
        entry: Its only function, without calls.
        in_avals: Its flat inputs.
        out_avals: Its flat outputs.
        kept: For each argument of the function, the index of the input it takes; the other inputs are not used.
    """
    names = Counter(op.name for op, _ in walk(body(entry)))
    flow = Flow(entry)
    conditionals: list[Conditional] = []
    loops: list[Loop] = []
    for number, (op, inside) in enumerate(sites(entry)):
        depends_on = tuple(kept[index] for index in flow.arguments_of(decides(op)))
        if op.name == LOOP:
            loops.append(Loop(number, trip_count(op), depends_on, inside))
        else:
            conditionals.append(Conditional(number, len(blocks(op)), depends_on, inside))
    return Structure(
        in_avals=tuple(in_avals),
        out_avals=tuple(out_avals),
        operations=dict(sorted(names.items())),
        custom_calls=custom_calls(entry),
        size=names.total(),
        conditionals=tuple(conditionals),
        loops=tuple(loops),
    )


def custom_calls(entry: ir.Operation) -> tuple[str, ...]:
    """Returns the targets of a program's custom calls, each once, sorted."""
    calls = (op for op, _ in walk(body(entry)) if op.name == "stablehlo.custom_call")
    return tuple(sorted({ir.StringAttr(op.attributes["call_target_name"]).value for op in calls}))
