"""Small changes to a program, in place: one more input, one more thing carried round a loop, one more result.

An operation that gains a result is built anew around the same blocks, and the old one is erased: references to it die.
"""

from __future__ import annotations

from collections.abc import Sequence

from jax.extend.mlir import ir
from jax.extend.mlir.dialects import func, stablehlo

from autograder.program.module import LOOP, Value, block_of, blocks, body, terminator


class NotReachable(Exception):
    """A value stands where it cannot be handed out: in the condition of a loop, or in a reducer."""


def scalar_type() -> ir.RankedTensorType:
    """Returns the type of the numbers that rewriting adds: an `int32` scalar."""
    return ir.RankedTensorType.get([], ir.IntegerType.get_signless(32))


def number(value: int) -> Value:
    """Makes a constant `int32` scalar at the current insertion point."""
    element = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value)
    return stablehlo.constant(ir.DenseElementsAttr.get_splat(scalar_type(), element))


def compare(left: Value, direction: str, right: Value) -> Value:
    """Compares two `int32` scalars at the current insertion point; `direction` is `EQ`, `LT` or `GE`."""
    return stablehlo.compare(
        left,
        right,
        stablehlo.ComparisonDirectionAttr.get(direction),
        compare_type=stablehlo.ComparisonTypeAttr.get("SIGNED"),
    )


def at_start(entry: ir.Operation) -> ir.InsertionPoint:
    """Returns the insertion point before all operations of a function."""
    return ir.InsertionPoint.at_block_begin(body(entry))


def add_inputs(entry: ir.Operation, count: int) -> list[Value]:
    """Gives the entry further `int32` scalar inputs behind its own."""
    block = body(entry)
    added = [block.add_argument(scalar_type(), ir.Location.unknown()) for _ in range(count)]
    _retype(entry)
    return list(added)


def output_also(entry: ir.Operation, value: Value) -> None:
    """Makes a value of the entry's own block one more output, behind the others."""
    last = terminator(body(entry))
    with ir.InsertionPoint(last):
        func.ReturnOp([*last.operands, value])
    last.erase()
    _retype(entry)


def carry(loop: ir.Operation, start: Value) -> ir.Operation:
    """Builds a loop anew that carries one more value round; its body has yet to return it (`return_also`).

    Args:
        loop: The loop; erased.
        start: The value before the first iteration, defined before the loop.
    """
    kinds = [result.type for result in loop.results]
    with ir.InsertionPoint(loop):
        wider = stablehlo.WhileOp([*kinds, start.type], [*loop.operands, start]).operation
    _take_over(loop, wider)
    for block in blocks(wider):
        block.add_argument(start.type, ir.Location.unknown())
    return wider


def count_carried(loop: ir.Operation) -> ir.Operation:
    """Builds a loop anew that counts its iterations: the last value it carries and returns is their number so far."""
    with ir.InsertionPoint(loop):
        zero = number(0)
    wider = carry(loop, zero)
    inner = blocks(wider)[1]
    with ir.InsertionPoint(terminator(inner)):
        more = stablehlo.add(inner.arguments[len(inner.arguments) - 1], number(1))
    return_also(inner, more)
    return wider


def hand_out(outer: ir.Operation, block: ir.Block, value: Value) -> ir.Operation:
    """Builds an operation anew that returns one more result: what a number in one of its blocks comes to.

    Over the iterations of a loop the numbers are added up; a branch of a conditional that does not run counts 0.

    Args:
        outer: The operation; erased.
        block: The block of it that holds the number.
        value: An `int32` scalar defined in that block.
    """
    if outer.name == LOOP and block == blocks(outer)[1]:
        with ir.InsertionPoint(outer):
            zero = number(0)
        wider = carry(outer, zero)
        with ir.InsertionPoint(terminator(block)):
            total = stablehlo.add(block.arguments[len(block.arguments) - 1], value)
        return_also(block, total)
        return wider
    kinds = [*(result.type for result in outer.results), value.type]
    with ir.InsertionPoint(outer):
        if outer.name == "stablehlo.case":
            wider = stablehlo.CaseOp(kinds, outer.operands[0], len(outer.regions)).operation
        elif outer.name == "stablehlo.if":
            wider = stablehlo.IfOp(kinds, outer.operands[0]).operation
        else:
            raise NotReachable(outer.name)
    _take_over(outer, wider)
    for branch in blocks(wider):
        with ir.InsertionPoint(terminator(branch)):
            shown = value if branch == block else number(0)
        return_also(branch, shown)
    return wider


def return_also(block: ir.Block, value: Value) -> None:
    """Makes a nested block return one more value."""
    last = terminator(block)
    with ir.InsertionPoint(last):
        stablehlo.ReturnOp([*last.operands, value])
    last.erase()


def _take_over(old: ir.Operation, new: ir.Operation) -> None:
    """Moves the blocks of an operation to one that stands before it, redirects its results, and erases it."""
    for source, target in zip(old.regions, new.regions, strict=True):
        block_of(source).append_to(target)
    for result, fresh in zip(old.results, list(new.results)[: len(old.results)], strict=True):
        result.replace_all_uses_with(fresh)
    old.erase()


def _retype(entry: ir.Operation) -> None:
    """Makes a function's declared type that of its block."""
    block = body(entry)
    inputs: Sequence[ir.Type] = [argument.type for argument in block.arguments]
    results = [operand.type for operand in terminator(block).operands]
    entry.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
