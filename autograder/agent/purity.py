"""A pure function depends on nothing but its arguments: globals are spoilt one at a time, and nothing may change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from json import dumps
from types import ModuleType
from typing import Any

import numpy as np
from jax import Array, dtypes, random
from jax import numpy as jnp
from jax.tree_util import tree_leaves, tree_map

from autograder.agent.calls import PRINTED, BoundedText, call
from autograder.agent.effects import is_shells_own, snapshot
from autograder.agent.export import Exporter, is_abstract
from autograder.wire import clean, encode

_DELETED = object()
_MOST = 100


@dataclass(frozen=True, slots=True)
class FreshRun:
    """What came of tracing or calling a function afresh.

    Attributes:
        result: Equal bytes for equal programs or values.
        printed: What the student's Python printed; `jax.debug.print` is silent.
    """

    result: bytes
    printed: str


Run = Callable[[], FreshRun]


@dataclass(frozen=True, slots=True)
class Dependence:
    """A global that the function depends on.

    Attributes:
        name: The global.
        poisoned: What came of another value in its place: `same`, `changed` or `raised`.
        deleted: What came of its absence.
    """

    name: str
    poisoned: str
    deleted: str


@dataclass(frozen=True, slots=True)
class Purity:
    """What was found about a function.

    Attributes:
        depends_on: Globals whose change or absence changed or broke it.
        changed: Globals and closures that a fresh trace changed.
        printed: What a fresh trace printed.
        repeatable: Whether two fresh traces came to the same.
    """

    depends_on: tuple[Dependence, ...]
    changed: tuple[str, ...]
    printed: str
    repeatable: bool


def run_fresh(
    exporter: Exporter, function: Callable[..., Any], name: str, *, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> FreshRun:
    """Exports the function when there is an abstract value in its arguments, else calls it; from empty caches."""
    if is_abstract(args, kwargs):
        printed = BoundedText(PRINTED)
        with redirect_stdout(printed):
            program = exporter.export(function, name, args=args, kwargs=kwargs)
        return FreshRun(program.artifact + clean(program.out_tree, 10_000).encode(), printed.text)
    with exporter.fresh():
        called = call(function, args, kwargs)
    tree, buffers = encode(called.value)
    return FreshRun(b"".join([dumps(tree).encode(), *buffers]), called.printed)


def examine(
    function: Callable[..., Any], run: Run, *, namespace: MutableMapping[str, Any], parameters: Sequence[str]
) -> Purity:
    """Runs a function afresh, with its globals as they are and then spoilt.

    Args:
        function: The student's function.
        run: Traces or calls it afresh.
        namespace: The student's globals.
        parameters: Names of parameters: a global of such a name is suspected, whatever number it holds.

    Raises:
        Exception: Whatever the function raises with its globals as they are.
    """
    before = snapshot(namespace, function)
    plain = run()
    changed = snapshot(namespace, function).changed_since(before)
    repeatable = run().result == plain.result
    suspects = _suspects(namespace, parameters)[:_MOST]
    if not repeatable or _untouched(run, plain, namespace, suspects):
        return Purity((), changed, plain.printed, repeatable)
    depends_on = []
    for name in suspects:
        poisoned = _outcome(run, plain, namespace, {name: _poison(namespace[name])})
        deleted = _outcome(run, plain, namespace, {name: _DELETED})
        if (poisoned, deleted) != ("same", "same"):
            depends_on.append(Dependence(name, poisoned, deleted))
    return Purity(tuple(depends_on), changed, plain.printed, repeatable)


def _suspects(namespace: Mapping[str, Any], parameters: Sequence[str]) -> list[str]:
    """Returns the globals to spoil: those named like a parameter, and those that hold arrays.

    Functions, classes and modules are constants of a program, and so are numbers of any other name.
    """
    named = [name for name in dict.fromkeys(parameters) if name in namespace and not _is_code(namespace[name])]
    arrays = [name for name, value in namespace.items() if not is_shells_own(name) and _holds_arrays(value)]
    return list(dict.fromkeys(named + arrays))


def _is_code(value: Any) -> bool:
    return callable(value) or isinstance(value, ModuleType)


def _holds_arrays(value: Any) -> bool:
    if isinstance(value, Array | np.ndarray):
        return True
    return type(value) in (list, tuple, dict) and any(
        isinstance(leaf, Array | np.ndarray) for leaf in tree_leaves(value)
    )


def _untouched(run: Run, plain: FreshRun, namespace: MutableMapping[str, Any], names: Sequence[str]) -> bool:
    """Tells whether all of them can be spoilt together without effect: two traces in place of two for each."""
    poisons = {name: _poison(namespace[name]) for name in names}
    absences = dict.fromkeys(names, _DELETED)
    return all(_outcome(run, plain, namespace, spoilt) == "same" for spoilt in (poisons, absences))


def _outcome(run: Run, plain: FreshRun, namespace: MutableMapping[str, Any], spoilt: Mapping[str, Any]) -> str:
    with _spoilt(namespace, spoilt):
        try:
            return "same" if run().result == plain.result else "changed"
        except Exception:  # the student's code, with a global missing: anything may come
            return "raised"


@contextmanager
def _spoilt(namespace: MutableMapping[str, Any], spoilt: Mapping[str, Any]) -> Iterator[None]:
    """Puts other values into globals, or takes them out, and puts all back."""
    kept = {name: namespace[name] for name in spoilt}
    try:
        for name, value in spoilt.items():
            if value is _DELETED:
                del namespace[name]
            else:
                namespace[name] = value
        yield
    finally:
        namespace.update(kept)


def _poison(value: Any) -> Any:
    """Returns another value of the same type, shape and dtype where there is one: a NaN, the next integer."""
    if type(value) is bool:
        return not value
    if type(value) is int:
        return value + 1
    if type(value) in (float, complex):
        return value * float("nan") + float("nan")
    if isinstance(value, Array | np.ndarray):
        try:
            return _poisoned_array(value)
        except Exception:  # nothing can be computed with a leaked tracer, or with an array that was donated
            return _DELETED
    if type(value) in (list, tuple, dict):
        return tree_map(_poison, value)
    return _DELETED


def _poisoned_array(value: Any) -> Any:
    """Returns an array of the same shape and dtype in which every element is another."""
    if jnp.issubdtype(value.dtype, jnp.bool_):
        return ~value
    if jnp.issubdtype(value.dtype, jnp.integer):
        return value + np.ones((), value.dtype)
    if jnp.issubdtype(value.dtype, jnp.inexact):
        return value * np.asarray(np.nan, value.dtype)
    if jnp.issubdtype(value.dtype, dtypes.prng_key):
        return random.wrap_key_data(random.key_data(value) + np.uint32(1), impl=random.key_impl(value))
    return _DELETED
