"""An exported program: run on hidden inputs, and asked for its structure, where no student code runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from autograder.faults import CourseFault
from autograder.program.structure import Conditional, Loop, Structure
from autograder.suite.asking import Asker
from autograder.suite.avals import Aval
from autograder.suite.disturbing import changed
from autograder.suite.operations import CHLO, STABLEHLO
from autograder.suite.replaying import Inputs, Replayed
from autograder.suite.returns import Returns, assert_returns

Which = bool | int | None
"""`None` does not ask, `True` asks for any input or output, `False` for none, a number for the one at that index."""


class Branch(NamedTuple):
    """One branch of a conditional.

    Attributes:
        conditional: Id of the conditional.
        branch: Its place among the branches, from 0.
    """

    conditional: int
    branch: int


class Program:
    """A function of the student, exported for abstract arguments.

    Args:
        asker: Both links and the deadline of the running test.
        artifact: The serialised program; the grader carries it, and never reads it.
        name: Name of the function.
        in_avals: The flat arguments that it takes.
        out_avals: The flat results that it claims to return.
        out_tree: How the function returned them, in words; comes from the student's kernel.
        primitives: How often each primitive occurs in its jaxpr; comes from the student's kernel.
        returns: What it must return; see `Function.export`.
    """

    def __init__(
        self,
        asker: Asker,
        artifact: bytes,
        *,
        name: str,
        in_avals: tuple[Aval, ...],
        out_avals: tuple[Aval, ...],
        out_tree: str = "",
        primitives: Mapping[str, int] | None = None,
        returns: Returns = None,
    ) -> None:
        self._replayed = Replayed(asker, artifact, name=name, in_avals=in_avals, out_avals=out_avals)
        self._returns = returns
        self.name = name
        self.in_avals = in_avals
        self.out_avals = out_avals
        self.out_tree = out_tree
        self.primitives = dict(primitives or {})
        assert_returns(name, out_avals, returns)

    def __repr__(self) -> str:
        return f"<the program of the student's {self.name}>"

    def __call__(self, *args: Any) -> Any:
        """Runs it once; returns one NumPy value, or a tuple where it returns several or `returns` is a tuple."""
        return self.run([args])[0]

    def run(self, inputs: Inputs) -> list[Any]:
        """Runs it on many argument tuples in one request; results as in `program(...)`, in order."""
        single = len(self.out_avals) == 1 and not isinstance(self._returns, tuple)
        return [flat[0] if single else flat for flat in self._replayed.run(inputs)]

    @cached_property
    def structure(self) -> Structure:
        """What the program consists of, as the replay box found.

        Raises:
            TamperFault: It takes or returns something else than the student's kernel said.
        """
        return self._replayed.describe()

    @property
    def operations(self) -> Mapping[str, int]:
        """How often each operation occurs, by its full name: `{"stablehlo.add": 3}`."""
        return self.structure.operations

    @property
    def custom_calls(self) -> tuple[str, ...]:
        """Targets of the program's custom calls."""
        return self.structure.custom_calls

    @property
    def size(self) -> int:
        """Number of operations."""
        return self.structure.size

    def uses(self, *names: str) -> tuple[str, ...]:
        """Returns those of the given operations that occur, by short name: `program.uses("sqrt", "rsqrt", "cbrt")`.

        Raises:
            CourseFault: StableHLO has no operation of such a name.
        """
        if unknown := sorted(set(names) - STABLEHLO - CHLO):
            raise CourseFault(f"StableHLO has no operation {unknown[0]!r}.", remedy="`exp` is `exponential` there.")
        present = {full.rpartition(".")[2] for full in self.operations}
        return tuple(name for name in names if name in present)

    def conditionals(
        self,
        *,
        min_branches: int = 2,
        depends_on_input: Which = None,
        decides_output: Which = None,
        at: Inputs = (),
    ) -> tuple[Conditional, ...]:
        """Returns the conditionals (`lax.cond`, `lax.switch`) of which all that is asked holds.

        Args:
            min_branches: They have at least so many branches.
            depends_on_input: Their index depends on an input, or on the one at this place among the flat inputs.
            decides_output: An output, or the one at this place, changes at each input of `at` when they are disturbed.
            at: Argument tuples at which to disturb them.
        """
        if "cond" not in self.primitives:
            return ()
        return tuple(
            found
            for found in self.structure.conditionals
            if found.branches >= min_branches
            and _asked(depends_on_input, found.depends_on)
            and self._decides({"kind": "conditional", "id": found.id}, decides_output, at)
        )

    def loops(
        self,
        *,
        fixed: bool | None = None,
        depends_on_input: Which = None,
        decides_output: Which = None,
        at: Inputs = (),
    ) -> tuple[Loop, ...]:
        """Returns the loops (`lax.while_loop`, `fori_loop`, `scan`) of which all that is asked holds.

        Args:
            fixed: `True`: their number of iterations is the same for all inputs; `False`: it depends on the data.
            depends_on_input: Their condition depends on an input, or on the one at this place among the flat inputs.
            decides_output: An output, or the one at this place, changes at each input of `at` when they are disturbed.
            at: Argument tuples at which to disturb them.
        """
        if not {"while", "scan"} & set(self.primitives):
            return ()
        return tuple(
            found
            for found in self.structure.loops
            if (fixed is None or fixed == (not found.depends_on))
            and _asked(depends_on_input, found.depends_on)
            and self._decides({"kind": "loop", "id": found.id}, decides_output, at)
        )

    def branches_deciding(self, inputs: Inputs, *, conditional: Conditional | None = None) -> list[set[Branch]]:
        """Returns for every input the branches that decide an output there.

        Args:
            inputs: Argument tuples.
            conditional: The one whose branches are asked for; otherwise those of all conditionals.
        """
        deciding: list[set[Branch]] = [set() for _ in inputs]
        if "cond" not in self.primitives:
            return deciding
        for found in (conditional,) if conditional else self.structure.conditionals:
            for branch in range(found.branches):
                target = {"kind": "branch", "id": found.id, "branch": branch}
                for place, outputs in enumerate(self._replayed.changed(target, inputs)):
                    if outputs:
                        deciding[place].add(Branch(found.id, branch))
        return deciding

    def changed_by_choosing(self, conditional: Conditional, branch: int, inputs: Inputs) -> list[bool]:
        """Tells for every input whether an output changes when the conditional takes this branch, whatever its index.

        Args:
            conditional: One of this program's conditionals.
            branch: The branch to take, from 0.
            inputs: Argument tuples.
        """
        target = {"kind": "choice", "id": conditional.id, "branch": branch}
        return [bool(outputs) for outputs in self._replayed.changed(target, inputs)]

    def changed_by_limiting(
        self, loop: Loop, trips: int | Sequence[int], inputs: Inputs, *, output: Which = True
    ) -> list[bool]:
        """Tells for every input whether an output changes when the loop ends after so many iterations, or earlier.

        Args:
            loop: One of this program's loops.
            trips: The most iterations, from 0; one number for all inputs, or one for each.
            inputs: Argument tuples.
            output: Which output is looked at: any, or the one at this place.
        """
        target = {"kind": "limit", "id": loop.id, "trips": _listed(trips, len(inputs))}
        return [_asked(output, tuple(outputs)) for outputs in self._replayed.changed(target, inputs)]

    def moves_on(self, loop: Loop, trips: int | Sequence[int], inputs: Inputs, *, output: int = 0) -> list[bool]:
        """Tells for every input whether one iteration more than so many gives another output.

        Args:
            loop: One of this program's loops.
            trips: The iterations after which it ends, from 0, and one more; for all inputs, or one for each.
            inputs: Argument tuples.
            output: Place of the output that is looked at.
        """
        limits = _listed(trips, len(inputs))
        both = {"kind": "limit", "id": loop.id, "trips": [*limits, *(number + 1 for number in limits)]}
        (runs,) = self._replayed.run_changed(both, [*inputs, *inputs])
        before, after = runs[: len(limits)], runs[len(limits) :]
        return [output in changed(was, now) for was, now in zip(before, after, strict=True)]

    def trips(self, loop: Loop, inputs: Inputs) -> list[int] | None:
        """Returns how often the body of a loop really runs for every input; `None` if that cannot be counted."""
        return self._replayed.trips(loop.id, inputs)

    def assert_all_traced(self) -> None:
        """Asserts that the program takes every argument at run time, as the replay box finds it."""
        self.structure  # noqa: B018  # reading it checks the signature

    def _decides(self, target: Mapping[str, Any], which: Which, at: Inputs) -> bool:
        if which is None:
            return True
        if not at:
            raise CourseFault(
                "The suite asks what decides the output, but at no input.", remedy="Give `at=[(argument, ...), ...]`."
            )
        return all(_asked(which, tuple(outputs)) for outputs in self._replayed.changed(target, at))


def _listed(trips: int | Sequence[int], inputs: int) -> list[int]:
    return [trips] * inputs if isinstance(trips, int) else list(trips)


def _asked(which: Which, found: Sequence[int]) -> bool:
    """Tells whether the indices found are what was asked for."""
    if which is None:
        return True
    return bool(found) is which if isinstance(which, bool) else which in found
