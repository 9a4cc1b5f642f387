"""MLIR modules as this package reads them: from portable bytes to operations and back, by JAX's public bindings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from jax.extend import mlir
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import chlo, stablehlo

from autograder.wire import raised

CONDITIONALS = frozenset({"stablehlo.case", "stablehlo.if"})
LOOP = "stablehlo.while"

Value: TypeAlias = "ir.Value[Any]"
Inside: TypeAlias = tuple[ir.Operation, ...]
"""The operations around another one, outermost first."""


class Site(NamedTuple):
    """A conditional or loop, and where it stands.

    Attributes:
        op: The operation.
        inside: Ids of the conditionals and loops around it, outermost first.
    """

    op: ir.Operation
    inside: tuple[int, ...]


@contextmanager
def bindings() -> Iterator[None]:
    """Enters a fresh MLIR context that knows the dialects of exported programs; operations live as long as it does."""
    with ir.Context() as context, ir.Location.unknown():
        context.enable_multithreading(False)  # programs are small, and a box may start few threads
        stablehlo.register_dialect(context)
        chlo.register_dialect(context)
        yield


def parse(portable: bytes) -> ir.Module:
    """Reads a portable artifact within `bindings`; raises `RaisedFault` if it is none."""
    try:
        module: ir.Module = mlir.deserialize_portable_artifact(portable)
        module.operation.verify()
    except Exception as error:  # the bindings raise several kinds, among them ValueError and MLIRError
        raise raised("refused", detail=f"The code is no StableHLO of this version: {error}") from error
    return module


def portable(module: ir.Module) -> bytes:
    """Writes a module as a portable artifact of the current version, after verifying it."""
    module.operation.verify()
    written: bytes = mlir.serialize_portable_artifact(module, stablehlo.get_current_version(), False)
    return written


def block_of(region: ir.Region) -> ir.Block:
    """Returns the one block of a region; raises `RaisedFault` where there is none or several."""
    blocks = list(region.blocks)
    if len(blocks) != 1:
        raise raised("refused", detail="A region has no block, or several.")
    return blocks[0]


def body(function: ir.Operation) -> ir.Block:
    """Returns the block of a function."""
    return block_of(function.regions[0])


def listed(block: ir.Block) -> list[ir.Operation]:
    """Returns the operations of a block, in order; a list, so that the block may change meanwhile."""
    return [op.operation for op in block.operations]


def terminator(block: ir.Block) -> ir.Operation:
    """Returns the last operation of a block, which hands its operands to the operation around it."""
    return listed(block)[-1]


def blocks(op: ir.Operation) -> list[ir.Block]:
    """Returns the block of each region of an operation."""
    return [block_of(region) for region in op.regions]


def functions(module: ir.Module) -> dict[str, ir.Operation]:
    """Returns the functions of a module by name."""
    found = [op for op in listed(module.body) if op.name == "func.func"]
    return {ir.StringAttr(op.attributes["sym_name"]).value: op for op in found}


def main_of(module: ir.Module) -> ir.Operation:
    """Returns the entry function; raises `RaisedFault` if there is none."""
    entry = functions(module).get("main")
    if entry is None:
        raise raised("refused", detail="The code has no entry.")
    return entry


def walk(block: ir.Block, inside: Inside = ()) -> Iterator[tuple[ir.Operation, Inside]]:
    """Yields every operation under a block in pre-order, with the operations around it."""
    for op in listed(block):
        yield op, inside
        for inner in blocks(op):
            yield from walk(inner, (*inside, op))


def sites(entry: ir.Operation) -> list[Site]:
    """Returns all conditionals and loops in pre-order; the place in this list is the id."""
    found: list[Site] = []
    ids: dict[ir.Operation, int] = {}
    for op, inside in walk(body(entry)):
        if op.name == LOOP or op.name in CONDITIONALS:
            ids[op] = len(found)
            found.append(Site(op, tuple(ids[outer] for outer in inside if outer in ids)))
    return found
