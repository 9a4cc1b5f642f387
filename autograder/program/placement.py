"""On which device a value lies is no part of what it is: annotations of placement are taken out of a program.

`jax.jit(f, backend="cpu")`, `device=`, `out_shardings=` and a mesh in the context leave them in a right answer. They
hand their operand on, and here there is one device.
"""

from __future__ import annotations

from jax.extend.mlir import ir

from autograder.program.module import body, listed, walk

_HANDED_ON = frozenset({"sdy.sharding_constraint", "sdy.reshard"})
_BY_CALL = frozenset({"Sharding", "annotate_device_placement"})
"""Targets of custom calls with which JAX writes the same."""


def drop_placement(module: ir.Module, entry: ir.Operation) -> None:
    """Takes annotations of placement out, in place.

    Args:
        module: A module.
        entry: Its only function, without calls.
    """
    for op, _ in list(walk(body(entry))):
        if _is_placement(op):
            op.results[0].replace_all_uses_with(op.operands[0])
            op.erase()
    for op in listed(module.body):
        if op.name == "sdy.mesh":
            op.erase()


def _is_placement(op: ir.Operation) -> bool:
    """Tells whether an operation says nothing but where its one operand lies."""
    if op.name == "stablehlo.custom_call":
        named = ir.StringAttr(op.attributes["call_target_name"]).value in _BY_CALL
    else:
        named = op.name in _HANDED_ON
    return named and [value.type for value in op.operands] == [value.type for value in op.results] and not op.regions
