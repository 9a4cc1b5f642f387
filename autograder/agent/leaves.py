"""A result of any structure becomes flat leaves and a string, also where JAX has no pytree for its class."""

from __future__ import annotations

from typing import Any

from jax.tree_util import tree_flatten

from autograder.wire import fields_of


def flatten(value: Any, leaves: list[Any]) -> str:
    """Appends the leaves of a value to a list and describes its structure: `(*, {'a': *})`, `Result(root=*, n=*)`.

    Args:
        value: Tuples, lists, dictionaries, named tuples, dataclasses, attrs objects and pytrees are taken apart.
        leaves: What is found is appended, in JAX's order (a dictionary's values in the order of its sorted keys).
    """
    if value is None:
        return "None"
    kind = type(value)
    if kind is tuple:
        inner = ", ".join([flatten(item, leaves) for item in value])
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if kind is list:
        return f"[{', '.join([flatten(item, leaves) for item in value])}]"
    if kind is dict:
        return "{" + ", ".join([f"{key!r}: {flatten(value[key], leaves)}" for key in sorted(value)]) + "}"
    children, _ = tree_flatten(value, is_leaf=lambda node: node is not value)
    unknown = len(children) == 1 and children[0] is value  # to JAX a leaf, or a class that it has no pytree for
    fields = fields_of(value) if unknown or isinstance(value, tuple) else None
    if fields is not None:
        return f"{kind.__name__}({', '.join([f'{name}={flatten(item, leaves)}' for name, item in fields.items()])})"
    if not unknown:
        return f"{kind.__name__}({', '.join([flatten(child, leaves) for child in children])})"
    leaves.append(value)
    return "*"
