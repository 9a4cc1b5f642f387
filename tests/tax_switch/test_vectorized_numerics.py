"""`tax_vectorized` gives the tax on every income of an array of any shape, by array operations."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import f32, fail, i32

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

INCOMES = np.array(
    [0, 4_321.5, 10_000, 10_020, 27_182.75, 39_999, 40_000, 62_832, 99_999, 100_001, 141_421, 3e6], np.float32
)


@pytest.mark.weight(2)
@pytest.mark.hint("Array operations take any shape, `jax.vmap` one axis. If numbers are off, try one of each bracket.")
@pytest.mark.parametrize("shape", [(), (12,), (3, 4)], ids=["scalar", "vector", "table"])
def test_shape(student, reference, shape):
    """The tax is right, and has the shape of the incomes."""
    program = student.tax_vectorized.export(f32[shape], returns=f32[shape])
    batches = [INCOMES.reshape(shape)] if shape else list(INCOMES)
    for incomes, taxes in zip(batches, program.run([(batch,) for batch in batches]), strict=True):
        reference.assert_tax(taxes, incomes)


@pytest.mark.weight(1)
@pytest.mark.hint("Code that stacks or loops over elements has nothing to work on here; array operations do not mind.")
def test_empty(student, reference):
    """No incomes give no taxes, where some give the right ones."""
    same = np.full(12, 55_556.5, np.float32)
    reference.assert_tax(student.tax_vectorized.export(f32[12], returns=f32[12])(same), same)
    nothing = np.zeros(0, np.float32)
    reference.assert_tax(student.tax_vectorized.export(f32[0], returns=f32[0])(nothing), nothing)


@pytest.mark.weight(1)
@pytest.mark.hint("Convert the incomes to floats first; `jnp.zeros_like` and `jnp.piecewise` keep an integer dtype.")
def test_integer_arrays(student, reference):
    """Integer incomes give the same taxes as float ones."""
    whole = np.array([0, 9_999, 10_003, 38_765, 40_007, 88_888, 100_009, 5_432_101], np.int32)
    reference.assert_tax(student.tax_vectorized.export(i32[8], returns=f32[8])(whole), whole)


@pytest.mark.weight(4)
@pytest.mark.hint("A Python loop over the elements is unrolled into the program. Compute with whole arrays.")
def test_size_of_the_program(student, reference):
    """The program of a longer array is no longer than that of a short one."""
    short = student.tax_vectorized.export(f32[12], returns=f32[12])
    long = student.tax_vectorized.export(f32[30], returns=f32[30])
    if long.size >= short.size + 18:  # one operation more for each further element
        fail(f"The program has {short.size} operations for 12 incomes and {long.size} for 30: it grows with the array.")
    incomes = np.random.default_rng(3_141).uniform(0, 300_000, 30).astype(np.float32)
    reference.assert_tax(long(incomes), incomes)
