"""A serialised program is opened as hostile bytes: what is no ordinary program for one CPU is refused, not compiled.

Only the operations and the types of the inputs are taken from it. Its pytrees, shardings, effects and derivatives are
dropped, and the signature under which it runs is made anew (`autograder.program.execute`). It is deserialised in a box
all the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax import export
from jax.extend.mlir import ir

from autograder.program.describe import custom_calls
from autograder.program.inline import inline_calls
from autograder.program.module import LOOP, bindings, blocks, body, parse, portable, terminator, walk
from autograder.program.placement import drop_placement
from autograder.wire import DTYPES, Aval, raised

MOST_BYTES = 16 << 20
MOST_OPERATIONS = 20_000
MOST_VALUE_BYTES = 256 << 20

_ELEMENTS = {
    "i1": "bool",
    "bf16": "bfloat16",
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"complex<f{bits}>": f"complex{2 * bits}" for bits in (32, 64)},
    **{f"f8{kind}": f"float8_{kind.lower()}" for kind in ("E3M4", "E4M3", "E4M3B11FNUZ", "E4M3FN", "E4M3FNUZ")},
    **{f"f8{kind}": f"float8_{kind.lower()}" for kind in ("E5M2", "E5M2FNUZ")},
}
"""How MLIR prints the element types that may cross, and their dtypes."""

_TALKS = frozenset(
    {
        "stablehlo.after_all",
        "stablehlo.all_gather",
        "stablehlo.all_reduce",
        "stablehlo.all_to_all",
        "stablehlo.async_done",
        "stablehlo.async_start",
        "stablehlo.collective_broadcast",
        "stablehlo.collective_permute",
        "stablehlo.collective_reduce",
        "stablehlo.create_token",
        "stablehlo.cross_replica_sum",
        "stablehlo.infeed",
        "stablehlo.outfeed",
        "stablehlo.partition_id",
        "stablehlo.recv",
        "stablehlo.reduce_scatter",
        "stablehlo.replica_id",
        "stablehlo.send",
    }
)
"""Operations that talk to other devices or to the host, and would wait for them for ever."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that was found fit to be looked at.

    Attributes:
        in_avals: Its flat inputs.
        out_avals: Its flat outputs.
        kept: For each argument of its entry, the index of the input it takes, ascending; the other inputs are not used.
        custom_calls: Targets of its custom calls, each once, sorted.
        largest: How many elements the largest array has that it takes or computes.
        loops: Whether there is a loop in it, whose end may depend on rounding.
        code: Its operations, all in the entry, as a portable artifact.
    """

    in_avals: tuple[Aval, ...]
    out_avals: tuple[Aval, ...]
    kept: tuple[int, ...]
    custom_calls: tuple[str, ...]
    largest: int
    loops: bool
    code: bytes


def open_artifact(artifact: bytes) -> Program:
    """Opens the bytes that `jax.export.Exported.serialize` made, or somebody else.

    Raises:
        RaisedFault: They are no program that can be graded.
    """
    if len(artifact) > MOST_BYTES:
        raise raised("oversized", detail=f"It has {len(artifact)} bytes; {MOST_BYTES} are allowed.")
    exported = _deserialize(artifact)
    _check_header(exported)
    in_avals, out_avals = _avals(exported.in_avals), _avals(exported.out_avals)
    kept = tuple(exported.module_kept_var_idx)
    if list(kept) != sorted(set(kept)) or not all(0 <= index < len(in_avals) for index in kept):
        raise raised("refused", detail="It takes inputs that it does not declare.")
    with bindings():
        module = parse(exported.mlir_module_serialized)
        entry = inline_calls(module, MOST_OPERATIONS)
        drop_placement(module, entry)
        for name in ("arg_attrs", "res_attrs"):  # donated buffers, shardings, layouts: no part of what is computed
            if name in entry.attributes:
                del entry.attributes[name]
        largest = _check_operations(entry)
        loops = any(op.name == LOOP for op, _ in walk(body(entry)))
        block = body(entry)
        takes = tuple(_aval(argument.type) for argument in block.arguments)
        gives = tuple(_aval(operand.type) for operand in terminator(block).operands)
        if takes != tuple(in_avals[index] for index in kept) or gives != out_avals:
            raise raised("refused", detail="It takes or returns something else than it declares.")
        return Program(in_avals, out_avals, kept, custom_calls(entry), largest, loops, portable(module))


def _deserialize(artifact: bytes) -> export.Exported:
    try:
        return export.deserialize(bytearray(artifact))
    except Exception as error:  # forged bytes raise whatever the reader of flatbuffers comes across
        raise raised("refused", detail=f"It cannot be deserialised: {type(error).__name__}: {error}") from error


def _check_header(exported: export.Exported) -> None:
    least = export.minimum_supported_calling_convention_version
    most = export.maximum_supported_calling_convention_version
    version = exported.calling_convention_version
    refusals = {
        f"It is for the platforms {exported.platforms}.": exported.platforms != ("cpu",),
        f"It is for {exported.nr_devices} devices.": exported.nr_devices != 1,
        "It has side effects.": bool(exported.ordered_effects or exported.unordered_effects),
        "It has shapes that are not fixed.": exported.uses_global_constants,
        f"Its calling convention is version {version}.": not least <= version <= most,
    }
    for detail, refused in refusals.items():
        if refused:
            raise raised("refused", detail=detail)


def _check_operations(entry: ir.Operation) -> int:
    """Refuses operations and values that no program of an exercise needs; returns the size of the largest value."""
    sizes = [0, *(_check_size(argument.type) for argument in body(entry).arguments)]
    for op, inside in walk(body(entry)):
        known = op.name.startswith(("stablehlo.", "chlo.")) or (op.name == "func.return" and not inside)
        if not known or op.name in _TALKS:
            raise raised("refused", detail=f"It uses {op.name}.")
        if "called_computations" in op.attributes and len(ir.ArrayAttr(op.attributes["called_computations"])):
            raise raised("refused", detail="It hands a function to a custom call.")
        sizes += [_check_size(value.type) for value in op.results]
        sizes += [_check_size(argument.type) for block in blocks(op) for argument in block.arguments]
    return max(sizes)


def _check_size(kind: ir.Type) -> int:
    """Returns how many elements a value of a type has."""
    if not isinstance(kind, ir.RankedTensorType) or not kind.has_static_shape:
        raise raised("refused", detail=f"It computes {kind}, which is no array of fixed shape.")
    bits = 128 if isinstance(kind.element_type, ir.ComplexType) else getattr(kind.element_type, "width", 64)
    elements = math.prod(kind.shape)
    if elements * bits > 8 * MOST_VALUE_BYTES:
        raise raised("oversized", detail=f"It computes {kind}; {MOST_VALUE_BYTES} bytes are allowed.")
    return elements


def _avals(found: Iterable[Any]) -> tuple[Aval, ...]:
    """Reads the declared types of inputs or outputs."""
    avals = []
    for aval in found:
        name, shape = str(aval.dtype), tuple(aval.shape)
        if name not in DTYPES or not all(type(size) is int for size in shape):
            raise raised("refused", detail=f"It takes or returns {name}{list(shape)}.")
        avals.append(Aval(name, shape))
    return tuple(avals)


def _aval(kind: ir.Type) -> Aval | None:
    """Returns the aval of an MLIR type; `None` if it is no array that may cross."""
    if not isinstance(kind, ir.RankedTensorType) or not kind.has_static_shape:
        return None
    name = _ELEMENTS.get(str(kind.element_type))
    return Aval(name, tuple(kind.shape)) if name else None


def structs(avals: Sequence[Aval]) -> list[jax.ShapeDtypeStruct]:
    """Returns avals as JAX takes them."""
    struct: Any = jax.ShapeDtypeStruct  # its constructor is not annotated
    return [struct(aval.shape, DTYPES[aval.dtype]) for aval in avals]
