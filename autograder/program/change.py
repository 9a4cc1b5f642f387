"""A target names what to change in a program, in JSON; here it becomes another program and the inputs that drive it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from jax.extend.mlir import ir

from autograder.faults import CourseFault
from autograder.program.artifact import Program
from autograder.program.describe import describe
from autograder.program.disturb import (
    ALL_BRANCHES,
    AS_THE_INDEX_SAYS,
    NO_BRANCH,
    UNDISTURBED,
    count_trips,
    disturb_conditional,
    disturb_loop,
)
from autograder.program.module import CONDITIONALS, LOOP, bindings, main_of, parse, portable, sites
from autograder.program.rewrite import NotReachable
from autograder.program.structure import Conditional, Loop, Structure
from autograder.wire import Aval

_NUMBER = Aval("int32", ())
_Block = TypeVar("_Block", Conditional, Loop)


@dataclass(frozen=True, slots=True)
class Change:
    """One way to change a program; equal changes give equal programs.

    Attributes:
        kind: A key of `_CHANGES`.
        id: Id of the conditional or loop.
    """

    kind: str
    id: int


@dataclass(frozen=True, slots=True)
class Target:
    """What a request asks to change.

    Attributes:
        change: The change; one compiled program serves all targets that share it.
        settings: For each run over the inputs, the numbers to hand to the changed program behind its own inputs.
    """

    change: Change
    settings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """How to make one kind of change.

    Attributes:
        apply: Changes the entry at one operation, in place.
        inputs: Number of further inputs.
    """

    apply: Callable[[ir.Operation, ir.Operation], None]
    inputs: int


_CHANGES = {
    "conditional": _Kind(disturb_conditional, 3),
    "loop": _Kind(disturb_loop, 2),
    "trips": _Kind(count_trips, 0),
}


def read_target(form: Any, structure: Structure) -> Target:
    """Reads the `target` of a request about a program of this structure.

    | target | what changes | runs |
    |---|---|---|
    | `{"kind": "branch", "id", "branch"}` | one branch returns sentinels | one per sentinel |
    | `{"kind": "conditional", "id"}` | all branches return sentinels | one per sentinel |
    | `{"kind": "loop", "id"}` | the loop's results are sentinels | one per sentinel |
    | `{"kind": "choice", "id", "branch"}` | this branch runs, whatever the index says | one |
    | `{"kind": "limit", "id", "trips"}` | the loop ends after so many iterations, or earlier | one |

    Raises:
        CourseFault: It is no target, or the program has no such conditional, branch or loop.
    """
    kind = form.get("kind") if isinstance(form, Mapping) else None
    if kind in ("loop", "limit"):
        loop = _find(form, structure.loops)
        settings = ((0, 0), (1, 0)) if kind == "loop" else ((UNDISTURBED, _number(form, "trips")),)
        return Target(Change("loop", loop.id), settings)
    if kind not in ("branch", "conditional", "choice"):
        raise CourseFault("A program can be changed at a branch, conditional, choice, loop or limit.")
    conditional = _find(form, structure.conditionals)
    branch = ALL_BRANCHES if kind == "conditional" else _number(form, "branch")
    if branch >= conditional.branches:
        raise CourseFault(
            f"Conditional {conditional.id} has {conditional.branches} branches, so none is number {branch}."
        )
    change = Change("conditional", conditional.id)
    if kind == "choice":
        return Target(change, ((NO_BRANCH, 0, branch),))
    return Target(change, ((branch, 0, AS_THE_INDEX_SAYS), (branch, 1, AS_THE_INDEX_SAYS)))


def read_loop(form: Any, structure: Structure) -> Change:
    """Reads the `id` of a request that counts how often a loop's body runs; raises as `read_target`."""
    return Change("trips", _find(form, structure.loops).id)


def changed(program: Program, change: Change) -> Program:
    """Makes the changed program.

    Args:
        program: An opened program.
        change: A change of a conditional or loop that it has.

    Raises:
        NotReachable: It stands in a reducer, which reads nothing but its arguments; or the count of a loop cannot be
            handed out.
    """
    kind = _CHANGES[change.kind]
    with bindings():
        module = parse(program.code)
        entry = main_of(module)
        op = sites(entry)[change.id].op
        _check_reachable(op, entry)
        kind.apply(entry, op)
        code = portable(module)
    inputs = len(program.in_avals)
    return replace(
        program,
        in_avals=(*program.in_avals, *[_NUMBER] * kind.inputs),
        out_avals=(_NUMBER,) if change.kind == "trips" else program.out_avals,
        kept=(*program.kept, *range(inputs, inputs + kind.inputs)),
        code=code,
    )


def structure_of(program: Program) -> Structure:
    """Describes an opened program."""
    with bindings():
        module = parse(program.code)  # operations die with their module
        return describe(main_of(module), in_avals=program.in_avals, out_avals=program.out_avals, kept=program.kept)


def _check_reachable(op: ir.Operation, entry: ir.Operation) -> None:
    outer = op.parent
    while outer is not None and outer.operation != entry:
        if outer.name != LOOP and outer.name not in CONDITIONALS:
            raise NotReachable(outer.name)
        outer = outer.operation.parent


def _find(form: Mapping[str, Any], among: Sequence[_Block]) -> _Block:
    wanted = _number(form, "id")
    for block in among:
        if block.id == wanted:
            return block
    raise CourseFault(f"The program has no such conditional or loop as number {wanted}.")


def _number(form: Mapping[str, Any], key: str) -> int:
    value = form.get(key)
    if type(value) is not int or not 0 <= value < 2**31:
        raise CourseFault(f"A target has no proper `{key}`.")
    return value
