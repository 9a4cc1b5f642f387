"""The signature of a call is what JAX's cache looks at: of every argument its form, its structure, its types or value.

Not part of it are settings of JAX and the devices that arrays lie on, which the cache looks at as well.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax

from autograder.tools.calls import Call

SHAPE, DTYPE, WEAK_TYPE = "shape", "dtype", "weak type"
STATIC_VALUE, TREE_STRUCTURE, ARGUMENT_FORM = "static value", "tree structure", "argument form"
ATTRIBUTES = (SHAPE, DTYPE, WEAK_TYPE, STATIC_VALUE, TREE_STRUCTURE, ARGUMENT_FORM)
"""Everything in which two signatures can differ."""

_POSITION, _KEYWORD, _OMITTED = "by position", "by keyword", "left out"
_REPR = 60


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two signatures.

    Attributes:
        argument: The argument, with the path to the array in it: `x`, `tree['a']`.
        attribute: A word of `ATTRIBUTES`.
        before: What it was.
        after: What it is.
    """

    argument: str
    attribute: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.attribute} of {self.argument}: {self.before} -> {self.after}"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What JAX sees of one array or number.

    Attributes:
        path: Where it is in its argument: `['a'][0]`; empty for the argument itself.
        shape: Its sizes.
        dtype: Name of its dtype.
        weak: Whether its type is weak.
    """

    path: str
    shape: tuple[int, ...]
    dtype: str
    weak: bool

    def __repr__(self) -> str:
        return f"{'~' * self.weak}{self.dtype}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """What JAX sees of one argument.

    Attributes:
        name: The parameter's name.
        form: How it is given.
        static: Whether its value counts, and not its types.
        value: The value of a static argument; of a traced one the leaves, in their structure, to be shown.
        structure: A traced argument's structure without its leaves.
        leaves: A traced argument's leaves, in order.
    """

    name: str
    form: str
    static: bool
    value: Any
    structure: Any = None
    leaves: tuple[Leaf, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}=" * (self.form == _KEYWORD) + short(self.value)

    def changes_since(self, before: Argument) -> list[Change]:
        """Returns the differences to the same argument of an earlier call."""
        changes = []
        if self.form != before.form:
            changes.append(Change(self.name, ARGUMENT_FORM, before.form, self.form))
        if self.static and before.static:
            if not _same(self.value, before.value):
                changes.append(self._change(STATIC_VALUE, before.value, self.value))
        elif _OMITTED in (self.form, before.form):  # what a default holds is a constant of the program
            pass
        elif self.structure != before.structure:
            changes.append(self._change(TREE_STRUCTURE, before.value, self.value))
        else:
            for new, old in zip(self.leaves, before.leaves, strict=True):
                changes += _leaf_changes(self.name, new, old)
        return changes

    def _change(self, attribute: str, before: Any, after: Any) -> Change:
        old, new = short(before), short(after)
        return Change(self.name, attribute, old, f"another {new}" if old == new else new)


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """The signature of a call.

    Attributes:
        arguments: By name, in the order of the function's parameters; those left out are among them.
    """

    arguments: Mapping[str, Argument]

    def __str__(self) -> str:
        return ", ".join(str(one) for one in self.arguments.values() if one.form != _OMITTED)

    def changes_since(self, before: Signature) -> tuple[Change, ...]:
        """Returns all differences to an earlier call of the same function; none where the signatures are equal."""
        changes: list[Change] = []
        for name in [*before.arguments, *(name for name in self.arguments if name not in before.arguments)]:
            new, old = self.arguments.get(name), before.arguments.get(name)
            if new and old:
                changes += new.changes_since(old)
            else:  # one more of `*args` or `**kwargs`
                forms = [one.form if one else _OMITTED for one in (old, new)]
                changes.append(Change(name, ARGUMENT_FORM, forms[0], forms[1]))
        return tuple(changes)


def distance(changes: tuple[Change, ...]) -> tuple[int, int]:
    """Returns in how many attributes two signatures differ, and in how many structures, which hide what else differs.

    Several arrays of one argument count once.
    """
    differing = {(change.argument.partition("[")[0], change.attribute) for change in changes}
    return len(differing), sum(attribute == TREE_STRUCTURE for _, attribute in differing)


def signature_of(function: Callable[..., Any], made: Call) -> Signature:
    """Returns what JAX sees of a call.

    Args:
        function: A jitted function; of any other, whatever holds arrays or numbers is taken for traced.
        made: The call.

    Raises:
        TypeError: The function does not take these arguments.
    """
    static = _static_names(function)
    return Signature(
        {
            name: _argument(name, form, value, static=name.partition("[")[0] in static)
            for name, (form, value) in _given(function, made).items()
        }
    )


def short(value: Any) -> str:
    """Returns the beginning of a value's `repr`."""
    text = repr(value)
    return text if len(text) <= _REPR else text[: _REPR - 3] + "..."


def _given(function: Callable[..., Any], made: Call) -> dict[str, tuple[str, Any]]:
    """Returns form and value of every argument by name, with those left out that have a default."""
    signature = inspect.signature(function)
    bound = signature.bind(*made.args, **made.kwargs)
    given = dict(bound.arguments)
    bound.apply_defaults()
    found: dict[str, tuple[str, Any]] = {}
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            found |= {f"{name}[{index}]": (_POSITION, item) for index, item in enumerate(value)}
        elif kind is inspect.Parameter.VAR_KEYWORD:
            found |= {key: (_KEYWORD, value[key]) for key in sorted(value)}  # their order is no part of a signature
        elif name in made.kwargs:
            found[name] = (_KEYWORD, value)
        else:
            found[name] = (_POSITION if name in given else _OMITTED, value)
    return found


def _static_names(function: Callable[..., Any]) -> frozenset[str]:
    """Returns the names of a jitted function's static parameters.

    JAX publishes them nowhere. Where its own record of them is gone, an argument is static if JAX cannot trace it.
    """
    record = getattr(function, "_jit_info", None)
    numbers, names = getattr(record, "static_argnums", ()), getattr(record, "static_argnames", ())
    parameters = list(inspect.signature(function).parameters)
    by_number = {parameters[number] for number in numbers if -len(parameters) <= number < len(parameters)}
    return frozenset(by_number | set(names))


def _argument(name: str, form: str, value: Any, *, static: bool) -> Argument:
    if static:
        return Argument(name, form, static=True, value=value)
    paths, structure = jax.tree_util.tree_flatten_with_path(value)
    try:
        leaves = tuple(_leaf(jax.tree_util.keystr(path), leaf) for path, leaf in paths)
    except TypeError:  # no array and no number: JAX would refuse to trace it
        return Argument(name, form, static=True, value=value)
    shown = jax.tree_util.tree_unflatten(structure, leaves)
    return Argument(name, form, static=False, value=shown, structure=structure, leaves=leaves)


def _leaf(path: str, value: Any) -> Leaf:
    seen = jax.typeof(value)
    return Leaf(path, tuple(seen.shape), str(seen.dtype), bool(getattr(seen, "weak_type", False)))


def _leaf_changes(name: str, new: Leaf, old: Leaf) -> list[Change]:
    pairs = [(SHAPE, old.shape, new.shape), (DTYPE, old.dtype, new.dtype), (WEAK_TYPE, _yes(old.weak), _yes(new.weak))]
    where = name + new.path
    return [Change(where, word, str(before), str(after)) for word, before, after in pairs if before != after]


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _same(one: Any, other: Any) -> bool:
    """Tells whether two static values share a program; for JAX 1, 1.0 and True are three."""
    if one is other:
        return True
    return type(one) is type(other) and bool(one == other)
