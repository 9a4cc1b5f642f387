"""A function that the student defined: called in their kernel, or exported as a program that leaves it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from autograder import wire
from autograder.faults import CourseFault, StudentFault
from autograder.link import Answer
from autograder.suite.asking import Asker, read, read_avals, read_places
from autograder.suite.avals import Aval, aval_of, leaves
from autograder.suite.compiles import CompileCount, read_counts
from autograder.suite.program import Program
from autograder.suite.purity import Purity, read_purity
from autograder.suite.returns import Returns

_MOST_TOLD = 50
"""The largest count that is told: a kernel could spell a hidden input by it."""

Jit = Literal["", "once", "anew"]
"""How the harness jits a function that it calls: not at all, by a wrapper that it keeps, or by `jax.jit` each time."""


class Function:
    """A function in the student's kernel.

    Args:
        asker: Both links and the deadline of the running test.
        name: Its name in the notebook.
        is_jitted: Whether it is itself the product of `jax.jit`, as the kernel says.
        jit: How it is called.
    """

    def __init__(self, asker: Asker, name: str, *, is_jitted: bool, jit: Jit = "") -> None:
        self._asker = asker
        self._jit = jit
        self.name = name
        self.is_jitted = is_jitted

    def __repr__(self) -> str:
        return f"<the student's {self.name}>"

    @property
    def jitted(self) -> Function:
        """The same function, called through one `jax.jit` of the harness instead of as it stands."""
        return Function(self._asker, self.name, is_jitted=self.is_jitted, jit="once")

    @property
    def jitted_anew(self) -> Function:
        """The same function, called as `jax.jit(f)(...)`: what JAX keeps for this function object is all it can use."""
        return Function(self._asker, self.name, is_jitted=self.is_jitted, jit="anew")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it in the student's kernel, which sees these arguments, and returns its value.

        The value is what student code made: NumPy arrays, Python numbers and containers of them. For numbers that earn
        marks prefer `export`, whose inputs the student's code never sees.

        Raises:
            StudentFault: It raised, or returned what is no value.
            LimitFault: It did not end in time, or ended its process.
        """
        buffers: list[bytes] = []
        tree, _ = wire.encode(args, into=buffers, numpy_as="jax")
        named, _ = wire.encode(kwargs, into=buffers, numpy_as="jax")
        reply = self._asker.student("call", buffers, name=self.name, args=tree, kwargs=named, jit=self._jit)
        self._asker.printed = read(reply.content, "printed", str)
        self._asker.deleted = read_places(reply.content, "deleted")
        return wire.decode(reply.content.get("value"), reply.buffers)

    def export(self, *avals: Any, returns: Returns = None, **named: Any) -> Program:
        """Exports it for abstract arguments: a program for all values of these dtypes and shapes.

        Args:
            avals: `f32`, `f32[3]`, or tuples, lists and dicts of them, as the function takes them. Any other value is
                built into the program: given to the function as it is, and no argument of the program.
            returns: What it must return: a number of leaves, an aval, or a tuple of avals whose kinds and shapes count.
            named: Keyword arguments; the program takes the traced ones after the others, sorted by name.

        Raises:
            StudentFault: It cannot be traced for these arguments, or returns something else.
        """
        traced = _traced(avals, named)
        reply = self._ask("export", avals, named)
        if read_avals(reply.content, "in_avals") != traced:
            raise StudentFault(f"The program of `{self.name}` does not take every argument at run time.")
        primitives = read(reply.content, "primitives", dict)
        return Program(
            self._asker,
            reply.buffers[0] if reply.buffers else b"",
            name=self.name,
            in_avals=traced,
            out_avals=read_avals(reply.content, "out_avals"),
            out_tree=read(reply.content, "out_tree", str)[:200],
            primitives={str(key): value for key, value in primitives.items() if type(value) is int},
            returns=returns,
        )

    def purity(self, *args: Any, parameters: Sequence[str] = (), **named: Any) -> Purity:
        """Finds out what the function depends on beside its arguments, and what it leaves behind.

        Globals are given other values, then taken away, each followed by a fresh run; a cached program would hide them.

        Args:
            args: Abstract values, for which it is traced as by `export`. Without one it is called with these values,
                for what cannot be traced; the student's kernel then knows them.
            parameters: Names of globals to suspect whatever they hold, beside those that hold arrays: those of the
                function's parameters.
            named: Keyword arguments.

        Raises:
            StudentFault: It cannot be traced, or raises when it is called.
        """
        reply = self._ask("purity", args, named, parameters=list(parameters))
        return read_purity(reply.content, self.name, traced=bool(_traced(args, named)))

    def assert_pure(self, *args: Any, parameters: Sequence[str] = (), **named: Any) -> None:
        """Asserts that the function depends on its arguments alone and leaves nothing behind; see `purity`.

        Raises:
            StudentFault: It depends on a global, changes one, prints while it is traced, or cannot be run.
        """
        found = self.purity(*args, parameters=parameters, **named)
        found.assert_depends_on_arguments()
        found.assert_leaves_nothing()

    def _ask(self, op: str, args: tuple[Any, ...], named: dict[str, Any], **more: Any) -> Answer:
        """Asks about the function for arguments some of which are abstract."""
        buffers: list[bytes] = []
        tree, _ = wire.encode(_map(_abstract, args), into=buffers, numpy_as="jax")
        keywords, _ = wire.encode(_map(_abstract, named), into=buffers, numpy_as="jax")
        return self._asker.once(op, buffers, name=self.name, args=tree, kwargs=keywords, **more)

    def assert_compiles_once(
        self, calls: Sequence[tuple[Any, ...]], *, new_shapes: Sequence[tuple[Any, ...]] = ()
    ) -> int:
        """Asserts that the first call compiles, the other calls do not, and each new shape compiles exactly once more.

        All compiles count, from fresh caches, whatever their name. The export for the types of the first call is the
        evidence beside the count: it succeeds only if every argument is traced. Tests that ask for the same calls read
        the same answer.

        Args:
            calls: Argument tuples of equal types and shapes with different values, at least two.
            new_shapes: Argument tuples, each of a shape that no call before had.

        Returns:
            How many programs the first call compiled.

        Raises:
            StudentFault: The count is another one; the message names the causes.
            TamperFault: The kernel no longer sees compiles that it must see.
            CourseFault: The calls are fewer than two, or not of one type.
        """
        if len(calls) < 2 or len({_type_of(call) for call in calls}) > 1:
            raise CourseFault("A suite counts compiles over at least two calls with arguments of the same types.")
        self.export(*_map(aval_of, calls[0])).assert_all_traced()
        buffers: list[bytes] = []
        trees = [wire.encode(tuple(call), into=buffers, numpy_as="jax")[0] for call in (*calls, *new_shapes)]
        reply = self._asker.once("compiles", buffers, name=self.name, calls=trees, jit=self._jit)
        first, *others = read_counts(reply.content, len(trees))
        further = CompileCount.of(others[: len(calls) - 1])
        self._expect(further, 0, "after one call, further calls with other values of the same types")
        for count in others[len(calls) - 1 :]:
            self._expect(CompileCount.of([count]), 1, "the first call with a new shape")
        return len(first)

    def _expect(self, compiles: CompileCount, expected: int, what: str) -> None:
        if compiles() != expected:
            because = f" Compiled were:\n{compiles.causes()}" if compiles() else ""
            raise StudentFault(
                f"`{self.name}`: {what} should compile {expected or 'nothing'}{' program' * (expected == 1)}, "
                f"but compiled {compiles() if compiles() <= _MOST_TOLD else 'many more'}.{because}"
            )


def _map(change: Callable[[Any], Any], tree: Any) -> Any:
    """Returns nested tuples, lists and dicts, their keys sorted, with every leaf changed."""
    if isinstance(tree, dict):
        return {key: _map(change, tree[key]) for key in sorted(tree)}
    if isinstance(tree, tuple | list):
        return type(tree)(_map(change, value) for value in tree)
    return None if tree is None else change(tree)


def _type_of(tree: Any) -> str:
    """Returns in words what a call's cache entry depends on; a Python number has a weak type of its own."""
    return repr(_map(lambda leaf: aval_of(leaf) if isinstance(leaf, np.ndarray | np.generic) else type(leaf), tree))


def _traced(args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Aval, ...]:
    """Returns the abstract values among the arguments, flat, in JAX's order."""
    return tuple(leaf for leaf in [*leaves(args), *leaves(named)] if isinstance(leaf, Aval))


def _abstract(leaf: Any) -> Any:
    return wire.Aval(leaf.dtype, leaf.shape) if isinstance(leaf, Aval) else leaf
