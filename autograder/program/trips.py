"""How often a loop runs, where its text tells: a counter from a constant, by a constant, up to a constant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo

from autograder.program.flow import decides, invariant
from autograder.program.module import LOOP, Value, blocks, terminator

_TURNED = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE", "NE": "NE"}
_THROUGH = frozenset({"stablehlo.convert", "stablehlo.reshape", "stablehlo.broadcast_in_dim"})
_FOLDS: dict[str, Callable[[int, int], int]] = {
    "stablehlo.add": lambda a, b: a + b,
    "stablehlo.subtract": lambda a, b: a - b,
    "stablehlo.multiply": lambda a, b: a * b,
    "stablehlo.minimum": min,
    "stablehlo.maximum": max,
}
_DEPTH = 12
"""How many operations on constants are followed; each may double the work."""


def trip_count(loop: ir.Operation) -> int | None:
    """Returns how often the body runs each time the loop is reached, if it is a plain counter over integers.

    Numbers that would leave the range of the counter's type give `None`: what wraps round is no plain counter.
    """
    test = _owner(decides(loop))
    if test is None or test.name != "stablehlo.compare":
        return None
    direction = stablehlo.ComparisonDirectionAttr(test.attributes["comparison_direction"]).value
    left, right = test.operands
    index = _carried(loop, left)
    if index is None:
        left, right, direction = right, left, _TURNED.get(direction, "")
        index = _carried(loop, left)
    if index is None or direction not in _TURNED:
        return None
    start, step, end = constant(loop.operands[index]), _step(loop, index), constant(right)
    bounds = _range(left.type)
    if start is None or step is None or end is None or bounds is None:
        return None
    count = _count(start, step, end, direction)
    if count is None or not bounds[0] <= start + count * step <= bounds[1]:
        return None
    return count


def constant(value: Value, depth: int = 0) -> int | None:
    """Returns the integer that a value always is, if a few simple operations on constants tell it, else `None`."""
    bounds = _range(value.type)
    if bounds is None or depth > _DEPTH:
        return None
    owner = _owner(value)
    if owner is None:
        return _constant_carried(value, depth)
    found: int | None = None
    if owner.name == "stablehlo.constant":
        attribute = owner.attributes["value"]
        if isinstance(attribute, ir.DenseIntElementsAttr) and attribute.is_splat:
            found = int(attribute.get_splat_value().value)  # type: ignore[attr-defined]  # an IntegerAttr or BoolAttr
    elif owner.name in _THROUGH:
        found = constant(owner.operands[0], depth + 1)
    elif owner.name in _FOLDS:
        left, right = (constant(operand, depth + 1) for operand in owner.operands)
        found = _FOLDS[owner.name](left, right) if left is not None and right is not None else None
    return found if found is not None and bounds[0] <= found <= bounds[1] else None


def _count(start: int, step: int, end: int, direction: str) -> int | None:
    """Returns the least number of steps after which the comparison fails; `None` if no number does."""
    distance = end - start
    if direction == "NE":
        if step == 0:
            return 0 if distance == 0 else None
        return distance // step if distance % step == 0 and distance // step >= 0 else None
    if direction in ("GT", "GE"):
        distance, step = -distance, -step
    if direction in ("LE", "GE"):
        distance += 1
    if distance <= 0:
        return 0
    return -(-distance // step) if step > 0 else None


def _step(loop: ir.Operation, index: int) -> int | None:
    """Returns by which constant the body changes the counter."""
    inner = blocks(loop)[1]
    counter = inner.arguments[index]
    owner = _owner(terminator(inner).operands[index])
    if owner is None or owner.name not in ("stablehlo.add", "stablehlo.subtract"):
        return None
    left, right = owner.operands
    if left == counter:
        step = constant(right)
        return -step if step is not None and owner.name == "stablehlo.subtract" else step
    return constant(left) if right == counter and owner.name == "stablehlo.add" else None


def _carried(loop: ir.Operation, value: Value) -> int | None:
    """Returns at which index the loop carries a value that its condition reads and its body changes."""
    for index, argument in enumerate(blocks(loop)[0].arguments):
        if argument == value:
            return None if invariant(loop, index) else index
    return None


def _constant_carried(value: Value, depth: int) -> int | None:
    """Returns the constant that a loop carries round unchanged, if the value is its argument."""
    argument: ir.BlockArgument[Any] = ir.BlockArgument(value)
    loop = argument.owner.owner.operation
    if loop.name != LOOP or not invariant(loop, argument.arg_number):
        return None
    return constant(loop.operands[argument.arg_number], depth + 1)


def _owner(value: Value) -> ir.Operation | None:
    """Returns the operation that makes a value; `None` for an argument of a block."""
    return value.owner.operation if isinstance(value, ir.OpResult) else None


def _range(kind: ir.Type) -> tuple[int, int] | None:
    """Returns the least and greatest value of a scalar integer type."""
    if not isinstance(kind, ir.RankedTensorType) or kind.rank != 0 or not isinstance(kind.element_type, ir.IntegerType):
        return None
    bits, unsigned = kind.element_type.width, kind.element_type.is_unsigned
    if bits == 1:
        return 0, 1
    return (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
