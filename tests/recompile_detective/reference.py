"""Reference for `recompile_detective`: the calls, and a truth that is measured by making them on the JAX at hand.

Nothing here says which call compiles. `measure` makes the calls with a new jitted function, whose cache is empty, and
counts; `accepted_reasons` compares what JAX sees of each call with the calls before it.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache, partial
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp

from autograder.faults import CourseFault
from autograder.tools.counting import CompileWatch

FIRST, SAME = "first call", "same signature"

VALUES: Mapping[str, Callable[[], Any]] = {
    "jnp.ones(3)": lambda: jnp.ones(3),
    "jnp.ones(3) * 5": lambda: jnp.ones(3) * 5,
    "jnp.ones(4)": lambda: jnp.ones(4),
    "jnp.ones((3, 1))": lambda: jnp.ones((3, 1)),
    "jnp.ones(3, jnp.int32)": lambda: jnp.ones(3, jnp.int32),
    "jnp.arange(3)": lambda: jnp.arange(3),
    "1.0": lambda: 1.0,
    "2.5": lambda: 2.5,
    "1": lambda: 1,
    "jnp.float32(1.0)": lambda: jnp.float32(1.0),
    "jnp.int32(1)": lambda: jnp.int32(1),
}
"""Arguments by the way in which they are written."""

MODES: Mapping[str, tuple[str, str]] = {
    "": ("a", "omitted"),
    ', mode="a"': ("a", "keyword"),
    ', mode="b"': ("b", "keyword"),
}
"""By the way in which it is written: the value that `mode` has, and how it is given."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of `detective`.

    Attributes:
        x: A key of `VALUES`.
        mode: A key of `MODES`.
    """

    x: str
    mode: str = ""

    def __str__(self) -> str:
        return f"detective({self.x}{self.mode})"


@dataclass(frozen=True, slots=True)
class Signature:
    """What JAX's cache looks at in a call of `detective`.

    Attributes:
        shape: Sizes of `x`.
        dtype: Name of the dtype of `x`.
        weak_type: Whether `x` has a weak type.
        static_value: The value of `mode`.
        argument_form: How `mode` is given.
    """

    shape: tuple[int, ...]
    dtype: str
    weak_type: bool
    static_value: str
    argument_form: str

    def differences(self, other: "Signature") -> frozenset[str]:
        """Returns the attributes in which two signatures differ, as the words of the task."""
        names = [field.name for field in fields(self)]
        return frozenset(_word(name) for name in names if getattr(self, name) != getattr(other, name))


def _word(name: str) -> str:
    return name.replace("_", " ")


ATTRIBUTES = tuple(_word(field.name) for field in fields(Signature))
WORDS = (FIRST, SAME, *ATTRIBUTES)
"""The closed list of reasons."""

STANDARD = (
    Call("jnp.ones(3)"),
    Call("jnp.ones(3) * 5"),
    Call("jnp.ones(4)"),
    Call("jnp.ones(3)", ', mode="b"'),
    Call("jnp.ones(3, jnp.int32)"),
    Call("1.0"),
    Call("jnp.float32(1.0)"),
    Call("jnp.ones(3)", ', mode="a"'),
)
"""The calls of the notebook."""


def sequence(seed: str | None = None) -> tuple[Call, ...]:
    """Returns the calls of the notebook, or as many others that ask for each reason at least once.

    Args:
        seed: A student's id; equal ids give equal calls, on every machine.
    """
    if seed is None:
        return STANDARD
    chance = random.Random(f"recompile_detective {seed}")
    while True:
        calls = tuple(Call(chance.choice([*VALUES]), chance.choice([*MODES])) for _ in STANDARD)
        if _asks_for_everything(calls):
            return calls


def _asks_for_everything(calls: Sequence[Call]) -> bool:
    """Tells whether every word is the one right reason of some call."""
    seen = [signature(call) for call in calls]
    new = [one not in seen[:place] for place, one in enumerate(seen)]
    only = [next(iter(words)) for words in accepted_reasons(calls, new) if len(words) == 1]
    return set(only) == set(WORDS)


def signature(call: Call) -> Signature:
    """Returns what JAX sees of a call."""
    return Signature(*_seen(call.x), *MODES[call.mode])


@contextmanager
def _as_in_the_notebook() -> Iterator[None]:
    """Sets aside what the grader's environment may say to JAX: a student's kernel does not see it."""
    with jax.disable_jit(False), jax.enable_x64(False):
        yield


@cache
def _seen(x: str) -> tuple[tuple[int, ...], str, bool]:
    """Returns shape, dtype and weak type of an argument, as JAX says."""
    with _as_in_the_notebook():
        aval = jax.typeof(VALUES[x]())
    return aval.shape, aval.dtype.name, bool(aval.weak_type)


def measure(calls: Sequence[Call]) -> tuple[bool, ...]:
    """Makes the calls in this order, from an empty cache, and returns which of them compile.

    The function is made anew, and only what bears its name counts, so that neither an earlier measurement nor other
    work in this process decides; both are left as they were.
    """

    @partial(jax.jit, static_argnames="mode")
    def detective(x: Any, mode: str = "a") -> Any:
        return x * 2 if mode == "a" else x + 1

    watch, counts = CompileWatch(), [0]
    watch.start()
    try:
        with _as_in_the_notebook():
            for call in calls:
                detective(VALUES[call.x](), **({"mode": MODES[call.mode][0]} if call.mode else {}))
                counts.append(sum(compiled.function == detective.__name__ for compiled in watch.seen))
    finally:
        watch.stop()
    return tuple(after > before for before, after in pairwise(counts))


def accepted_reasons(calls: Sequence[Call], compiled: Sequence[bool]) -> tuple[frozenset[str], ...]:
    """Returns the words that are right for each call.

    A call that compiles differs from every earlier one. Right is each difference to the nearest earlier one, which
    differs in the fewest attributes; if several are equally near, to any of them.

    Args:
        calls: The calls in their order.
        compiled: Which of them compile.

    Raises:
        CourseFault: The first call does not compile, or a call compiles whose signature was there before.
    """
    signatures = [signature(call) for call in calls]
    if not compiled[0]:
        raise CourseFault("The first of the calls compiles nothing here, so compiles cannot be counted.")
    reasons = [frozenset({FIRST})]
    for place in range(1, len(calls)):
        found = [signatures[place].differences(earlier) for earlier in signatures[:place]]
        fewest = min(map(len, found))
        if compiled[place] and not fewest:
            raise CourseFault(f"This JAX compiles for {calls[place]}, in which it sees nothing new.")
        nearest = frozenset().union(*(differing for differing in found if len(differing) == fewest))
        reasons.append(nearest if compiled[place] else frozenset({SAME}))
    return tuple(reasons)


CALLS = sequence()
COMPILED = measure(CALLS)
"""Which of the calls compile, measured once for each run of the suite."""

REASONS = accepted_reasons(CALLS, COMPILED)

predictions = list(COMPILED)
reasons = [min(words) for words in REASONS]
