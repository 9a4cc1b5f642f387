"""Reference for `recompile_table`: rows of calls whose compiles are measured on the JAX at hand, and a model answer.

Nothing here says how often a row compiles. `measure` runs its lines with functions that JAX has not met, and counts;
`told` makes the calls of an experiment in the same way. Both run the course's own functions in the grader.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder import call, explain_recompile
from autograder.faults import StudentFault
from autograder.tools.calls import Call
from autograder.tools.counting import CompileWatch
from autograder.tools.signatures import Signature, signature_of

DEFINITIONS = '''\
@jax.jit
def scale(x, factor=2.0):
    """Multiplies x by a factor."""
    return x * factor


@partial(jax.jit, static_argnames="how")
def reduce(x, how="sum"):
    """Adds the elements of x up, or multiplies them if `how` is anything but "sum"."""
    return x.sum() if how == "sum" else x.prod()


@jax.jit
def total(tree):
    """Adds up all elements of all arrays in a tree."""
    return sum(leaf.sum() for leaf in jax.tree.leaves(tree))


def add_one(x):
    """Adds 1; not jitted yet."""
    return x + 1


@jax.jit
def shift(x):
    """Adds a global variable to x."""
    return x + step


step = 1.0
x = jnp.ones(3)'''
"""The cell of the notebook that the rows of the table use."""

ROWS: Mapping[str, tuple[str, ...]] = {
    "E1": (
        "scale(jnp.ones(3))",
        "scale(jnp.ones(3) * 5)",
        "scale(jnp.ones(4))",
        "scale(jnp.ones((1, 3)))",
    ),
    "E2": (
        "scale(np.ones(3, np.float32))",
        "scale(np.ones(3, np.int32))",
        "scale(np.ones(3, np.float64))",
        "scale(np.ones(3, np.float16))",
    ),
    "E3": (
        "scale(1.0)",
        "scale(7.5)",
        "scale(jnp.float32(1.0))",
        "scale(jnp.float32(7.5))",
    ),
    "E4": (
        'reduce(x, how="sum")',
        'reduce(x, how="product")',
        'reduce(x, how="sum")',
        'reduce(x, how="prod")',
    ),
    "E5": (
        'total({"a": x})',
        'total({"a": x, "b": x})',
        'total({"b": x, "a": x})',
        "total((x, x))",
        "total([x, x])",
    ),
    "E6": (
        "scale(x)",
        "scale(x, 2.0)",
        "scale(x, factor=2.0)",
        "scale(x)",
    ),
    "E7": (
        "for _ in range(3): jax.jit(lambda x: x + 1)(x)",
        "for _ in range(3): jax.jit(add_one)(x)",
    ),
    "E8": (
        "shift(x)",
        "step = 10.0",
        "shift(x)",
        "shift(jnp.ones(4))",
        "shift(x)",
    ),
}
"""The lines of each row, as the notebook shows them."""

ADDED = ("shift(x)", "step = 10.0; shift(x)", "shift(jnp.ones(4))", "shift(x)")
"""The calls of row E8: what does each of them add?"""

COUNTED = frozenset({"scale", "reduce", "total", "add_one", "<lambda>", "shift"})
"""Names of the functions whose programs count: making an argument compiles too."""


@contextmanager
def as_in_the_notebook() -> Iterator[None]:
    """Sets aside what the grader's environment may say to JAX: a student's kernel does not see it."""
    with jax.disable_jit(False), jax.enable_x64(False):
        yield


def definitions() -> dict[str, Any]:
    """Returns a namespace with the functions of the notebook, made anew: JAX has no program of them."""
    namespace: dict[str, Any] = {}
    with as_in_the_notebook():
        exec("from functools import partial\nimport jax\nimport jax.numpy as jnp\nimport numpy as np", namespace)
        exec(DEFINITIONS, namespace)
    return namespace


def measure(lines: Sequence[str]) -> int:
    """Runs the lines of a row and returns how many programs its functions took."""
    namespace, watch = definitions(), CompileWatch()
    watch.start()
    try:
        with as_in_the_notebook():
            exec("\n".join(lines), namespace)
    finally:
        watch.stop()
    return sum(compiled.function in COUNTED for compiled in watch.seen)


def measure_added() -> tuple[float, ...]:
    """Returns what the calls of row E8 add."""
    namespace, added = definitions(), []
    with as_in_the_notebook():
        for line in ADDED:
            *before, made = line.split("; ")
            exec("\n".join(before), namespace)
            added.append(float(eval(made, namespace)[0]) - 1.0)
    return tuple(added)


@dataclass(frozen=True, slots=True)
class Told:
    """What an experiment shows.

    Attributes:
        calls: Its calls.
        compiled: For each of them whether it compiled, measured.
        signatures: What JAX sees of each.
    """

    calls: tuple[Call, ...]
    compiled: tuple[bool, ...]
    signatures: tuple[Signature, ...]

    def differences(self, one: int, two: int) -> frozenset[str]:
        """Returns the attributes in which two calls differ; they are counted from 0."""
        changes = self.signatures[two].changes_since(self.signatures[one])
        return frozenset(change.attribute for change in changes)


def told(function: str, calls: Sequence[Call], *, name: str) -> Told:
    """Makes the calls of an experiment, from an empty cache.

    Args:
        function: Name of one of the functions of the notebook.
        calls: The calls that a student wrote down.
        name: Their variable.

    Raises:
        StudentFault: The function cannot be called so.
    """
    jitted = definitions()[function]
    try:
        with as_in_the_notebook():
            compiled = explain_recompile(jitted, *calls).compiled
            return Told(tuple(calls), compiled, tuple(signature_of(jitted, made) for made in calls))
    except (TypeError, ValueError, LookupError, ArithmeticError) as error:  # what comes of arguments a student chose
        message = f"A call of `{name}` is none that `{function}` can take: {type(error).__name__}."
        remedy = f"Make the calls yourself: `explain_recompile({function}, *{name})`."
        raise StudentFault(message, remedy=remedy, detail=str(error)) from error


COUNTS = {row: measure(lines) for row, lines in ROWS.items()}
"""How many programs each row takes, measured once for each run of the suite."""

VALUES = measure_added()
"""What the calls of row E8 add, measured."""

predictions = list(COUNTS.values())
added = list(VALUES)

e1 = [call(jnp.ones(3)), call(jnp.ones(4))]
e2 = [call(jnp.ones(3)), call(jnp.ones(3, jnp.int32))]
e2_truncated = [call(jnp.ones(3)), call(np.ones(3, np.float64))]
e3 = [call(1.0), call(jnp.float32(1.0))]
e4 = [call(jnp.ones(3), "sum"), call(jnp.ones(3), "product"), call(jnp.ones(3), "sum")]
e5_keys = [call({"a": 1.0}), call({"a": 1.0, "b": 1.0})]
e5_kinds = [call((1.0, 2.0)), call([1.0, 2.0])]
e6 = [call(jnp.ones(3)), call(jnp.ones(3), 2.0), call(jnp.ones(3), factor=2.0)]


def double(x):
    """Doubles x."""
    return x * 2


new_functions = [lambda x: x * 2, lambda x: x * 2, lambda x: x * 2]
same_function = [double, double, double]

offset = 1.0


@jax.jit
def shifted(x):
    """Returns x plus the global offset."""
    return x + offset


def set_offset(value):
    """Changes the global offset."""
    global offset
    offset = value
