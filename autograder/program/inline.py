"""Calls are replaced by the bodies of the functions they call, so that every question is about one function.

XLA does the same before it compiles. A function that is called twice stands there twice: each copy of a conditional or
loop in it has an id of its own and is disturbed by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from jax.extend.mlir import ir

from autograder.program.module import body, functions, listed, main_of, terminator, walk
from autograder.wire import raised

_CALLEE = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""The operations that stand for a function's body, and the attribute that names the function."""


def inline_calls(module: ir.Module, limit: int) -> ir.Operation:
    """Inlines all calls into the entry, in place, and erases the other functions.

    Args:
        module: A verified module.
        limit: How many operations the entry may have afterwards.

    Returns:
        The entry function.

    Raises:
        RaisedFault: A function calls itself, is missing, or the program would grow over the limit.
    """
    entry, known = main_of(module), functions(module)
    size = _inlined_size(known)
    if size > limit:
        raise raised("oversized", detail=f"It has {size} operations; {limit} are allowed.")
    waiting = list(_calls(body(entry)))
    while waiting:
        call = waiting.pop()
        waiting.extend(_replace(call, known[_callee(call)], module))
    for name, function in known.items():
        if name != "main":
            function.erase()
    return entry


def _calls(block: ir.Block) -> Iterator[ir.Operation]:
    return (op for op, _ in walk(block) if op.name in _CALLEE)


def _callee(call: ir.Operation) -> str:
    return ir.FlatSymbolRefAttr(call.attributes[_CALLEE[call.name]]).value


def _replace(call: ir.Operation, function: ir.Operation, module: ir.Module) -> list[ir.Operation]:
    """Puts a copy of the function's body in the place of the call; returns the calls in that copy."""
    copy = function.clone(ip=ir.InsertionPoint(module.body))
    block = body(copy)
    inner = list(_calls(block))
    for argument, operand in zip(block.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    last = terminator(block)
    for result, value in zip(call.results, list(last.operands), strict=True):
        result.replace_all_uses_with(value)
    for op in listed(block)[:-1]:
        op.move_before(call)
    call.erase()
    copy.erase()
    return inner


def _inlined_size(known: Mapping[str, ir.Operation]) -> int:
    """Returns how many operations the entry will have."""
    own: dict[str, int] = {}
    calls: dict[str, Counter[str]] = {}
    for name, function in known.items():
        found = [op for op, _ in walk(body(function))]
        own[name] = len(found)
        calls[name] = Counter(_callee(op) for op in found if op.name in _CALLEE)
    total: dict[str, int] = {}
    try:
        for name in TopologicalSorter(calls).static_order():
            total[name] = own[name] + sum(number * total[callee] for callee, number in calls[name].items())
    except (CycleError, KeyError) as error:
        raise raised("refused", detail="A function calls itself or is missing.") from error
    return total["main"]
