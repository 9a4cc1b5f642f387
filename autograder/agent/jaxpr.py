"""A jaxpr is walked once, equation by equation, into every jaxpr that an equation holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn


def equations(jaxpr: Any) -> Iterator[JaxprEqn]:
    """Yields all equations of a jaxpr, those of nested ones after the equation that holds them.

    Args:
        jaxpr: A `Jaxpr` or a `ClosedJaxpr`; from JAX 0.12 on they are one class.
    """
    for equation in jaxpr.jaxpr.eqns if isinstance(jaxpr, ClosedJaxpr) else jaxpr.eqns:
        yield equation
        for value in equation.params.values():
            for inner in _held(value):
                yield from equations(inner)


def count_primitives(jaxpr: Any) -> dict[str, int]:
    """Counts the primitives of a jaxpr, nested ones included, by name."""
    return dict(Counter(equation.primitive.name for equation in equations(jaxpr)))


def _held(value: Any) -> Iterator[Any]:
    """Yields the jaxprs in a parameter of an equation: itself, or the members of a tuple or list."""
    if isinstance(value, Jaxpr | ClosedJaxpr):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _held(item)
