"""The truth about the tax: a float64 oracle that adds it up bracket by bracket, and a model answer in JAX.

The two use different algorithms on purpose: a slip in one of them cannot hide in the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from numpy.typing import ArrayLike, NDArray

from autograder.suite import assert_close, fail

STARTS = (0.0, 10_000.0, 40_000.0, 100_000.0)
"""Where the brackets start; each ends where the next one starts, the last one never."""

RATES = (0.0, 0.1, 0.2, 0.3)
"""The rate on the part of the income inside the bracket."""


def tax(income: ArrayLike) -> NDArray[np.float64]:
    """Returns the tax in float64: the sum over the brackets of the rate times the income inside the bracket.

    Args:
        income: Incomes of at least 0, any shape.

    Returns:
        The tax, of the same shape.
    """
    amount = np.asarray(income, dtype=np.float64)
    total = np.zeros(amount.shape)
    for start, end, rate in zip(STARTS, (*STARTS[1:], np.inf), RATES, strict=True):
        total += rate * (np.clip(amount, start, end) - start)
    return total


def tolerance(income: ArrayLike) -> NDArray[np.float64]:
    """Returns the error that a right answer in float32 may have: two units of rounding of the income.

    An answer subtracts or multiplies numbers as large as the income, so its error grows with the income and not with
    the tax: just above 10 000 the tax is near 0 and the error is not. Over a million incomes from 0 to 1e10, nine right
    forms (select, clip, tables, maxima of lines, interpolation, division, ...) erred by at most 0.62 units on JAX
    0.10.2 and 0.12.0.1; the rest is room for forms that round once or twice more.
    """
    return 2 * float(np.finfo(np.float32).eps) * np.maximum(np.asarray(income, dtype=np.float64), 1.0)


def assert_tax(actual: Any, income: ArrayLike) -> None:
    """Asserts that the student's tax on these incomes has the right shape, a floating dtype, and is right.

    Raises:
        StudentFault: It is not; the message names the property and holds no income and no tax.
    """
    expected = tax(income)
    assert_close(actual, expected, atol=np.inf, what="the tax")  # shape, dtype and finiteness
    wrong = np.abs(np.asarray(actual, dtype=np.float64) - expected) > tolerance(income)
    if wrong.any():
        count = f" for {wrong.sum()} of {wrong.size} incomes" if wrong.ndim else ""
        fail(f"The tax is off{count}, by more than rounding in float32 explains.")


def _bracket(index: int) -> Callable[[Array], Array]:
    start, rate = STARTS[index], RATES[index]
    owed = float(tax(start))
    return lambda income: owed + rate * (income - start)


@jax.jit
def tax_switch(income: Array) -> Array:
    """Returns the tax on one income; the conditional runs the branch of one bracket alone."""
    income = jnp.asarray(income, jnp.float32)
    index = sum((income >= start).astype(jnp.int32) for start in STARTS[1:])
    return lax.switch(index, [_bracket(index) for index in range(4)], income)


@jax.jit
def tax_vectorized(income: Array) -> Array:
    """Returns the tax on every income of an array; computes all brackets and selects among them."""
    income = jnp.asarray(income, jnp.float32)
    below = [income < start for start in STARTS[1:]]
    return jnp.select(below, [_bracket(index)(income) for index in range(3)], _bracket(3)(income))
