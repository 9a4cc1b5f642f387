"""The structure of a program, as frozen records that cross as JSON and are read back as hostile input.

The replay box writes them (`autograder.program.describe`), the grader reads them; nothing here knows JAX.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from autograder.faults import TamperFault
from autograder.wire import DTYPES, Aval

_TEXT = 200
_ITEMS = 200_000
_MAX_RANK = 32
_MAX_COUNT = 2**63


@dataclass(frozen=True, slots=True)
class Conditional:
    """A `stablehlo.case` or `stablehlo.if`: one of several branches runs, chosen by an index or a predicate.

    Attributes:
        id: Its place among all conditionals and loops, in the order of the program's text with calls inlined; from 0.
        branches: Number of branches. Branch 0 of an `if` is the one that runs when the predicate is true.
        depends_on: Indexes of the flat inputs that its index depends on by data flow, ascending. Data flow believes
            `0 * x`: disturb the program to learn what really decides.
        inside: Ids of the conditionals and loops around it, outermost first.
    """

    id: int
    branches: int
    depends_on: tuple[int, ...]
    inside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Loop:
    """A `stablehlo.while`.

    Attributes:
        id: As in `Conditional`; one numbering serves both.
        trip_count: How often its body runs each time the loop is reached, when that is a constant of plain counter
            form; else `None`.
        depends_on: Indexes of the flat inputs that its condition depends on by data flow, over any number of
            iterations, ascending. Empty means that their number is fixed, whether or not `trip_count` tells it.
        inside: As in `Conditional`.
    """

    id: int
    trip_count: int | None
    depends_on: tuple[int, ...]
    inside: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Structure:
    """What a program consists of; every call is counted as if its body stood in its place.

    Attributes:
        in_avals: Its flat inputs.
        out_avals: Its flat outputs.
        operations: How often each operation occurs in the code reachable from the entry, nested regions included, by
            full name: `{"stablehlo.add": 3}`.
        custom_calls: Targets of its custom calls, each once, sorted.
        size: Number of operations; the sum over `operations`.
        conditionals: In the order of their ids.
        loops: In the order of their ids.
    """

    in_avals: tuple[Aval, ...]
    out_avals: tuple[Aval, ...]
    operations: Mapping[str, int]
    custom_calls: tuple[str, ...]
    size: int
    conditionals: tuple[Conditional, ...]
    loops: tuple[Loop, ...]


def structure_form(structure: Structure) -> dict[str, Any]:
    """Writes a structure as JSON."""
    return {
        "in_avals": [_aval_form(aval) for aval in structure.in_avals],
        "out_avals": [_aval_form(aval) for aval in structure.out_avals],
        "operations": dict(structure.operations),
        "custom_calls": list(structure.custom_calls),
        "size": structure.size,
        "conditionals": [
            {"id": c.id, "branches": c.branches, "depends_on": list(c.depends_on), "inside": list(c.inside)}
            for c in structure.conditionals
        ],
        "loops": [
            {"id": w.id, "trip_count": w.trip_count, "depends_on": list(w.depends_on), "inside": list(w.inside)}
            for w in structure.loops
        ],
    }


def read_structure(form: Any) -> Structure:
    """Reads what `structure_form` wrote, perhaps in a process that is not to be trusted.

    Raises:
        TamperFault: It is not exactly of that form, or contradicts itself.
    """
    keys = ("in_avals", "out_avals", "operations", "custom_calls", "size", "conditionals", "loops")
    ins, outs, operations, calls, size, conditionals, loops = _values(form, *keys)
    counts = _object(operations)
    structure = Structure(
        in_avals=tuple(_read_aval(item) for item in _list(ins)),
        out_avals=tuple(_read_aval(item) for item in _list(outs)),
        operations={_text(name): _count(counts[name], 1) for name in counts},
        custom_calls=tuple(_text(target) for target in _list(calls)),
        size=_count(size),
        conditionals=tuple(_read_conditional(item) for item in _list(conditionals)),
        loops=tuple(_read_loop(item) for item in _list(loops)),
    )
    _check_sense(structure)
    return structure


def _check_sense(structure: Structure) -> None:
    """Refuses a structure whose parts contradict each other."""
    blocks: tuple[Conditional | Loop, ...] = (*structure.conditionals, *structure.loops)
    if structure.size != sum(structure.operations.values()):
        _refuse("its size is not the sum of its operations")
    count = structure.operations.get
    branching = count("stablehlo.case", 0) + count("stablehlo.if", 0)
    if (len(structure.conditionals), len(structure.loops)) != (branching, count("stablehlo.while", 0)):
        _refuse("its conditionals and loops are not those among its operations")
    if sorted(block.id for block in blocks) != list(range(len(blocks))):
        _refuse("its conditionals and loops are not numbered in order")
    inputs = len(structure.in_avals)
    for block in blocks:
        ascending = list(block.depends_on) == sorted(set(block.depends_on))
        if not ascending or any(index >= inputs for index in block.depends_on):
            _refuse("a dependence on an input that does not exist")
        nested = list(block.inside) == sorted(set(block.inside))
        if not nested or any(outer >= block.id for outer in block.inside):
            _refuse("a conditional or loop inside a later one")


def _read_conditional(form: Any) -> Conditional:
    id_, branches, depends_on, inside = _values(form, "id", "branches", "depends_on", "inside")
    return Conditional(_count(id_), _count(branches, 1), _counts(depends_on), _counts(inside))


def _read_loop(form: Any) -> Loop:
    id_, trips, depends_on, inside = _values(form, "id", "trip_count", "depends_on", "inside")
    return Loop(_count(id_), None if trips is None else _count(trips), _counts(depends_on), _counts(inside))


def _aval_form(aval: Aval) -> dict[str, Any]:
    return {"dtype": aval.dtype, "shape": list(aval.shape)}


def _read_aval(form: Any) -> Aval:
    dtype, shape = _values(form, "dtype", "shape")
    sizes = _counts(shape)
    if type(dtype) is not str or dtype not in DTYPES or len(sizes) > _MAX_RANK:
        _refuse("an array of an unknown kind")
    return Aval(dtype, sizes)


def _values(form: Any, *keys: str) -> list[Any]:
    found = _object(form)
    if set(found) != set(keys):
        _refuse("missing or unknown keys")
    return [found[key] for key in keys]


def _object(form: Any) -> dict[Any, Any]:
    return form if type(form) is dict and len(form) <= _ITEMS else _refuse("no object")


def _list(form: Any) -> list[Any]:
    return form if type(form) is list and len(form) <= _ITEMS else _refuse("no list")


def _text(form: Any) -> str:
    return form if type(form) is str and 0 < len(form) <= _TEXT else _refuse("no name")


def _count(form: Any, least: int = 0) -> int:
    return form if type(form) is int and least <= form < _MAX_COUNT else _refuse("no count")


def _counts(form: Any) -> tuple[int, ...]:
    return tuple(_count(item) for item in _list(form))


def _refuse(what: str) -> NoReturn:
    raise TamperFault(f"The replay box describes a program in a form that is not agreed: {what}.")
