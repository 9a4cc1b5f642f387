"""Reference for `newton_sqrt`: a float64 oracle in NumPy, a model answer in JAX, and how the suite runs an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograder.faults import RaisedFault
from autograder.suite import Function, Program, f32

CAP = 100


def root(a: Any) -> Any:
    """Returns the exact square root, rounded once to float64."""
    return np.sqrt(np.float64(np.float32(a)))


def iterates(a: float, tol: float) -> list[float]:
    """Returns Newton's iterates in float64, from the start to the one at which |x_new - x_old| < tol.

    The last index is the number of steps. A few steps more are not part of the list: see `iterate`.
    """
    a = float(np.float32(a))
    found = [max(a, 1.0)]
    while len(found) <= CAP:
        found.append((found[-1] + a / found[-1]) / 2)
        if abs(found[-1] - found[-2]) < tol:
            break
    return found


def steps(a: float, tol: float) -> int:
    """Returns the number of steps from the start until |x_new - x_old| < tol."""
    return len(iterates(a, tol)) - 1


def iterate(a: float, k: int) -> float:
    """Returns the iterate after exactly k steps, in float64."""
    a = float(np.float32(a))
    x = max(a, 1.0)
    for _ in range(k):
        x = (x + a / x) / 2
    return x


class Solver:
    """A student's function as programs: one for all tolerances, or one for each where `tol` is not traced.

    That `tol` must be traced is for the check of the compiles to say; it does not make a root wrong.
    """

    def __init__(self, function: Function, *, returns: int | None = 2) -> None:
        self._function = function
        self._returns = returns
        self._for_tol: dict[float, Program] = {}
        self._for_all: Program | None = None
        try:
            self._for_all = function.export(f32, f32, returns=returns)
        except RaisedFault:
            self.program(1e-6)  # if this fails as well, tol is not to blame

    def __call__(self, numbers: Sequence[float], tol: float) -> list[tuple[Any, Any]]:
        """Returns root and count for every number."""
        return self.program(tol).run(self.inputs(numbers, tol))

    def each(self, pairs: Sequence[tuple[float, float]]) -> list[tuple[Any, Any]]:
        """Returns root and count for every number and its tolerance; where one program serves all, in one request."""
        if self._for_all is not None:
            return self._for_all.run(pairs)
        return [self([number], tol)[0] for number, tol in pairs]

    def program(self, tol: float) -> Program:
        """Returns the program that serves a tolerance."""
        if self._for_all is not None:
            return self._for_all
        if tol not in self._for_tol:
            self._for_tol[tol] = self._function.export(f32, tol, returns=self._returns)
        return self._for_tol[tol]

    def inputs(self, numbers: Sequence[float], tol: float) -> list[tuple[float, ...]]:
        """Returns what that program is to be run with."""
        return [(number,) if self._for_all is None else (number, tol) for number in numbers]


@jax.jit
def newton_sqrt(a: jax.Array, tol: jax.Array | float = 1e-6) -> tuple[jax.Array, jax.Array]:
    """Returns the square root of a and the number of Newton steps that it took.

    The change starts as infinity: `x0 + 1` as the previous value would force the first step too, but in float32
    `x0 + 1 == x0` from 2**24 on, and the loop would never run.
    """

    def goes_on(state: tuple[jax.Array, jax.Array, jax.Array]) -> jax.Array:
        _, change, count = state
        return (change >= tol) & (count < CAP)

    def step(state: tuple[jax.Array, jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array, jax.Array]:
        x, _, count = state
        x_new = (x + a / x) / 2
        return x_new, jnp.abs(x_new - x), count + 1

    start = jnp.maximum(a, 1.0)
    x, _, count = lax.while_loop(goes_on, step, (start, jnp.full_like(start, jnp.inf), jnp.int32(0)))
    return x, count
