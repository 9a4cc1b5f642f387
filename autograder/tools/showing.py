"""A function is shown on its way to the machine: traced, lowered to StableHLO, compiled by XLA, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
from jax.extend import mlir
from jax.extend.mlir import ir
from jax.extend.mlir.dialects import stablehlo
from jax.tree_util import tree_leaves, tree_map

from autograder.faults import Fault
from autograder.program.describe import describe
from autograder.program.inline import inline_calls
from autograder.program.module import bindings, body, parse
from autograder.program.structure import Conditional, Loop
from autograder.tools.marking import as_html, as_text

_MOST_OPERATIONS = 200_000
_SOURCES = re.compile(r"^FileNames\n.*?\n\n\n", re.MULTILINE | re.DOTALL)
_METADATA = re.compile(r', metadata=\{(?:[^{}"]|"[^"]*")*\}')


@dataclass(frozen=True, slots=True)
class Cost:
    """What XLA estimates of the compiled program, in its `cost_analysis`.

    XLA counts the body of a loop once, however often it runs.

    Attributes:
        flops: Floating-point operations; `None` where XLA does not tell, as for a program that only copies.
        bytes_accessed: Bytes read and written; `None` where XLA does not tell.
    """

    flops: float | None
    bytes_accessed: float | None

    def __str__(self) -> str:
        flops = "not told" if self.flops is None else f"{self.flops:,.0f}"
        moved = "not told" if self.bytes_accessed is None else f"{self.bytes_accessed:,.0f}"
        return f"floating-point operations {flops}, bytes accessed {moved}"


@dataclass(frozen=True, slots=True)
class Block:
    """A loop or a conditional of the program.

    Attributes:
        kind: `loop` or `conditional`.
        id: Its place among all of them, in the order of the program with calls inlined, from 0.
        decided_by: The arguments on which the number of rounds, or the choice of the branch, depends by data flow:
            `n`, `state['w']`. None for a loop means that the number of its rounds is fixed.
        rounds: How often a loop runs, where the program tells by a constant; else `None`.
        branches: Number of branches of a conditional; 0 for a loop.
        inside: Ids of the loops and conditionals around it, outermost first.
    """

    kind: str
    id: int
    decided_by: tuple[str, ...]
    rounds: int | None
    branches: int
    inside: tuple[int, ...]

    def __str__(self) -> str:
        where = f", inside {self.inside[-1]}" if self.inside else ""
        by = ", ".join(self.decided_by)
        if self.kind == "conditional":
            chosen = f"chosen by {by}" if by else "chosen by no argument"
            return f"{self.id}: conditional with {self.branches} branches, {chosen}{where}"
        if self.rounds is not None:
            return f"{self.id}: loop of {self.rounds} rounds, fixed{where}"
        return f"{self.id}: loop, its number of rounds {f'decided by {by}' if by else 'fixed'}{where}"


@dataclass(frozen=True, slots=True, repr=False)
class ShownProgram:
    """A function as a program for arguments of certain shapes and dtypes, at every stage of its way.

    Attributes:
        name: Name of the function.
        takes: What it was traced for, by name: `{"x": "float32[3]"}`; static arguments are not among them.
        returns: What it returns: `float32[3]`, in the structure in which it does.
        jaxpr: The trace, as JAX prints it.
        stablehlo: The program that JAX hands to the compiler.
        hlo: The program that XLA made of it, without source locations.
        cost: What XLA estimates of it.
        blocks: Its loops and conditionals, in order; `None` where they cannot be found, and `note` says why.
        note: Why `blocks` is `None`; else empty.
    """

    name: str
    takes: dict[str, str]
    returns: str
    jaxpr: str
    stablehlo: str
    hlo: str
    cost: Cost
    blocks: tuple[Block, ...] | None
    note: str = ""

    @property
    def loops(self) -> tuple[Block, ...]:
        """The loops among the blocks."""
        return tuple(block for block in self.blocks or () if block.kind == "loop")

    @property
    def conditionals(self) -> tuple[Block, ...]:
        """The conditionals among the blocks."""
        return tuple(block for block in self.blocks or () if block.kind == "conditional")

    def __repr__(self) -> str:
        return as_text(self._signature(), self._facts(), self._parts())

    def _repr_html_(self) -> str:
        return as_html(self._signature(), self._facts(), self._parts())

    def _signature(self) -> str:
        return f"{self.name}({', '.join(f'{name}: {kind}' for name, kind in self.takes.items())}) -> {self.returns}"

    def _facts(self) -> tuple[str, ...]:
        if self.blocks is None:
            found: tuple[str, ...] = (self.note,)
        else:
            found = tuple(map(str, self.blocks)) or ("no loop and no conditional",)
        return (*found, f"cost: {self.cost}{'; the body of a loop counts once' if self.loops else ''}")

    def _parts(self) -> dict[str, str]:
        return {"jaxpr": self.jaxpr, "stablehlo": self.stablehlo, "hlo": self.hlo}


def show_program(f: Callable[..., Any], *args: Any, **kwargs: Any) -> ShownProgram:
    """Shows what becomes of a function for these arguments: trace, jaxpr, StableHLO, compiled HLO and cost.

    Nothing is run: the function is traced and compiled. What `f` itself holds in its cache stays as it is.

    Args:
        f: A function, jitted or not. One that is not jitted is jitted here, with every argument traced.
        args: Its arguments: arrays, numbers, structures of them, or `jax.ShapeDtypeStruct` for an array that need not
            exist; values for static arguments.
        kwargs: Its keyword arguments.

    Raises:
        TypeError: `f` is no function, or an argument is nothing that JAX can trace.
        Exception: Whatever comes while `f` is traced, with a note on what it was traced for.
    """
    if not callable(f):
        raise TypeError(
            f"show_program takes a function and its arguments, and got {type(f).__name__}: "
            "write show_program(f, x), not show_program(f(x))."
        )
    name = str(getattr(f, "__name__", type(f).__name__))
    with _advice(name):
        jitted: Any = f if hasattr(f, "trace") and hasattr(f, "lower") else jax.jit(f)
        traced = jitted.trace(*args, **kwargs)
        lowered = traced.lower()
        compiled = lowered.compile()
    blocks, note = _found(lowered.compiler_ir(dialect="stablehlo"))
    return ShownProgram(
        name=name,
        takes=_takes(traced),
        returns=repr(tree_map(_Kind, traced.out_info)),
        jaxpr=str(traced.jaxpr),
        stablehlo=lowered.as_text(),
        hlo=_METADATA.sub("", _SOURCES.sub("", compiled.as_text() or "")),
        cost=_cost(compiled.cost_analysis()),
        blocks=blocks,
        note=note,
    )


class _Kind:
    """Stands for an array in a structure that is shown: `float32[3]`."""

    def __init__(self, aval: Any) -> None:
        weak = " (weak)" if getattr(aval, "weak_type", False) else ""
        self._text = f"{aval.dtype}[{','.join(map(str, aval.shape))}]{weak}"

    def __repr__(self) -> str:
        return self._text


def _takes(traced: Any) -> dict[str, str]:
    """Names the traced arguments as JAX does, each leaf of a structure by itself."""
    avals = tree_leaves(traced.in_avals)
    info = getattr(traced.jaxpr, "debug_info", None)
    names = getattr(info, "arg_names", None) or [f"argument {place}" for place in range(len(avals))]
    return {name: repr(_Kind(aval)) for name, aval in zip(names, avals, strict=True)}


def _found(module: Any) -> tuple[tuple[Block, ...] | None, str]:
    """Finds the loops and conditionals of a lowered module, or says why that cannot be done."""
    code = mlir.serialize_portable_artifact(module, stablehlo.get_current_version(), False)
    try:
        with bindings():
            module = parse(code)  # operations live as long as their module
            entry = inline_calls(module, _MOST_OPERATIONS)
            names = tuple(_name(argument) for argument in body(entry).arguments)
            found = describe(entry, in_avals=(), out_avals=(), kept=range(len(names)))
    except Fault as fault:
        return None, f"loops and conditionals cannot be found: {fault.detail or fault.message}"
    both: tuple[Loop | Conditional, ...] = (*found.loops, *found.conditionals)
    return tuple(_block(one, names) for one in sorted(both, key=lambda one: one.id)), ""


def _block(found: Loop | Conditional, names: tuple[str, ...]) -> Block:
    return Block(
        kind="loop" if isinstance(found, Loop) else "conditional",
        id=found.id,
        decided_by=tuple(names[place] for place in found.depends_on),
        rounds=found.trip_count if isinstance(found, Loop) else None,
        branches=0 if isinstance(found, Loop) else found.branches,
        inside=found.inside,
    )


def _name(argument: ir.BlockArgument[Any]) -> str:
    """Returns the name of an argument, which JAX keeps as its location: arguments that are not used are gone."""
    told = re.match(r'loc\("(.*?)"', str(argument.location))
    return told[1] if told else f"argument {argument.arg_number}"


def _cost(told: Any) -> Cost:
    """Reads XLA's own estimate; what it does not know is missing there, or negative."""
    table = told if isinstance(told, dict) else {}

    def number(key: str) -> float | None:
        value = table.get(key, -1.0)
        return value if value >= 0 else None

    return Cost(number("flops"), number("bytes accessed"))


@contextmanager
def _advice(name: str) -> Iterator[None]:
    """Adds to whatever tracing raises what was tried, and what to do about it."""
    try:
        yield
    except Exception as error:
        if isinstance(error, jax.errors.JAXTypeError):
            todo = (
                "a Python `if`, `while`, `range` or index needs the value of an argument: use `lax.cond`, "
                f"`lax.while_loop`, ..., or make that argument static: jax.jit({name}, static_argnames=...)."
            )
        elif isinstance(error, TypeError) and "Error interpreting argument" in str(error):
            todo = f"an argument that is no array must be static: jax.jit({name}, static_argnames=...)."
        else:
            todo = "give it the arguments that a call would have."
        error.add_note(f"show_program traced `{name}` with abstract arguments; {todo}")
        raise
