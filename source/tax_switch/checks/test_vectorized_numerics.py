"""Public examples for `tax_vectorized`; the hidden tests use other incomes, and more of them."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail, i32

INCOMES = np.array([5_000, 11_000, 25_000, 39_000, 70_000, 250_000])
TAXES = np.array([0, 100, 1_500, 2_900, 9_000, 60_000], np.float64)
ATOL = 0.05
"""A twentieth of a coin: float32 holds seven digits, and the incomes here have up to six."""


@pytest.mark.hint("Array operations take any shape as they are; `jax.vmap` takes exactly one axis.")
@pytest.mark.parametrize("shape", [(6,), (2, 3), (6, 1)], ids=["vector", "table", "column"])
def test_shape(student, shape):
    """The tax is right, and has the shape of the incomes."""
    program = student.tax_vectorized.export(f32[shape], returns=f32[shape])
    assert_close(program(INCOMES.reshape(shape)), TAXES.reshape(shape), atol=ATOL, what="the tax")


@pytest.mark.hint("Array operations take a scalar and an empty array as they are.")
def test_scalar_and_empty(student):
    """A scalar gives a scalar, and an empty array an empty one."""
    assert_close(student.tax_vectorized.export(f32, returns=f32)(25_000), 1_500.0, atol=ATOL, what="the tax on 25,000")
    empty = np.zeros(0)
    assert_close(student.tax_vectorized.export(f32[0], returns=f32[0])(empty), empty, what="the tax on no income")


@pytest.mark.hint("Convert the incomes to floats first; `jnp.zeros_like` and `jnp.piecewise` keep an integer dtype.")
def test_integers(student):
    """Integer incomes give the same taxes as float ones."""
    assert_close(student.tax_vectorized.export(i32[6], returns=f32[6])(INCOMES), TAXES, atol=ATOL, what="the tax")


@pytest.mark.hint("A Python loop over the elements is unrolled into the program. Compute with whole arrays.")
def test_size_of_the_program(student):
    """The program does not grow with the array."""
    short, long = (student.tax_vectorized.export(f32[n], returns=f32[n]).size for n in (3, 13))
    if long >= short + 10:
        fail(f"The program has {short} operations for 3 incomes and {long} for 13: it grows with the array.")
