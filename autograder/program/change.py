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
    MOST_TRIPS,
    NO_BRANCH,
    UNDISTURBED,
    disturb_and_count_loop,
    disturb_conditional,
    disturb_loop,
)
from autograder.program.module import CONDITIONALS, LOOP, bindings, main_of, parse, portable, sites
from autograder.program.rewrite import NotReachable
from autograder.program.structure import Conditional, Loop, Structure
from autograder.wire import Aval

NO_LIMIT = 2**31 - 1

_NUMBER = Aval("int32", ())
_Block = TypeVar("_Block", Conditional, Loop)


@dataclass(frozen=True, slots=True)
class Change:
    """One way to change a program; equal changes give equal programs.

    Attributes:
        kind: `conditional` or `loop`.
        id: Id of the conditional or loop.
    """

    kind: str
    id: int


@dataclass(frozen=True, slots=True)
class Target:
    """What a request asks to change.

    Attributes:
        change: The change; one compiled program serves all targets that share it.
        settings: For each run over the inputs, and in it for each input, the numbers to hand to the changed program
            behind its own inputs.
    """

    change: Change
    settings: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed program.

    Attributes:
        program: It takes further inputs, and may have one more output.
        counts: Whether its last output is how often the body of the loop ran.
    """

    program: Program
    counts: bool


def read_target(form: Any, structure: Structure, *, inputs: int) -> Target:
    """Reads the `target` of a request about a program of this structure.

    | target | what changes | runs |
    |---|---|---|
    | `{"kind": "branch", "id", "branch"}` | one branch returns sentinels | one per sentinel |
    | `{"kind": "conditional", "id"}` | all branches return sentinels | one per sentinel |
    | `{"kind": "loop", "id"}` | the loop's results are sentinels | one per sentinel |
    | `{"kind": "choice", "id", "branch"}` | this branch runs, whatever the index says | one |
    | `{"kind": "limit", "id", "trips"}` | the loop ends after so many iterations, or earlier | one |

    `trips` is a number, or a list with a number for each input.

    Args:
        form: The target.
        structure: What the program consists of.
        inputs: With how many inputs it is to be run.

    Raises:
        CourseFault: It is no target, or the program has no such conditional, branch or loop.
    """
    kind = form.get("kind") if isinstance(form, Mapping) else None
    if kind == "limit":
        numbers = _numbers(form, "trips", inputs)
        each = tuple((UNDISTURBED, trips, MOST_TRIPS) for trips in numbers)
        return Target(Change("loop", _find(form, structure.loops).id), (each,))
    if kind == "loop":
        runs = [(variant, 0, MOST_TRIPS) for variant in (0, 1)]
        return Target(Change("loop", _find(form, structure.loops).id), tuple((run,) * inputs for run in runs))
    if kind not in ("branch", "conditional", "choice"):
        raise CourseFault("A program can be changed at a branch, conditional, choice, loop or limit.")
    conditional = _find(form, structure.conditionals)
    branch = ALL_BRANCHES if kind == "conditional" else _number(form, "branch")
    if branch >= conditional.branches:
        raise CourseFault(
            f"Conditional {conditional.id} has {conditional.branches} branches, so none is number {branch}."
        )
    chosen = [(NO_BRANCH, 0, branch)]
    disturbed = [(branch, variant, AS_THE_INDEX_SAYS) for variant in (0, 1)]
    runs = chosen if kind == "choice" else disturbed
    return Target(Change("conditional", conditional.id), tuple((run,) * inputs for run in runs))


def read_loop(form: Any, structure: Structure, *, inputs: int) -> Target:
    """Reads the `id` of a request that counts how often a loop's body runs; as `read_target`, with nothing changed."""
    run = (UNDISTURBED, NO_LIMIT, NO_LIMIT)
    return Target(Change("loop", _find(form, structure.loops).id), ((run,) * inputs,))


def changed(program: Program, change: Change) -> Changed:
    """Makes the changed program.

    Args:
        program: An opened program.
        change: A change of a conditional or loop that it has.

    Raises:
        NotReachable: It stands in a reducer, which reads nothing but its arguments.
    """
    if change.kind == "conditional":
        return _made(program, change, disturb_conditional, counts=False)
    try:
        return _made(program, change, disturb_and_count_loop, counts=True)
    except NotReachable:
        return _made(program, change, disturb_loop, counts=False)


def _made(
    program: Program, change: Change, apply: Callable[[ir.Operation, ir.Operation], None], *, counts: bool
) -> Changed:
    """Applies a change that takes three numbers."""
    with bindings():
        module = parse(program.code)
        entry = main_of(module)
        op = sites(entry)[change.id].op
        _check_reachable(op, entry)
        apply(entry, op)
        code = portable(module)
    own = len(program.in_avals)
    made = replace(
        program,
        in_avals=(*program.in_avals, *[_NUMBER] * 3),
        out_avals=(*program.out_avals, *[_NUMBER] * counts),
        kept=(*program.kept, *range(own, own + 3)),
        code=code,
    )
    return Changed(made, counts)


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
    return _numbers({key: [form.get(key)]}, key, 1)[0]


def _numbers(form: Mapping[str, Any], key: str, count: int) -> list[int]:
    """Returns the numbers at a key: a list of so many, or one for all."""
    found: Any = form.get(key)
    values: list[Any] = found if isinstance(found, list) else [found] * count
    if len(values) != count or not all(type(value) is int and 0 <= value < 2**31 for value in values):
        raise CourseFault(f"A target has no proper `{key}`.")
    return values
