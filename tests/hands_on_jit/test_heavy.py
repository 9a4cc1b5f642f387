"""The computation is right, once operation by operation and once as one program."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail

RTOL = 2e-5
"""Sums of up to 49 terms in float32, each known to 1e-6 or better: the sines keep away from their zeros."""

NAMES = ("compute_heavy", "compute_heavy_jit")


def rows(m, n, *, product, seed):
    """Returns an (m, n) array whose rows have products around a number, within a fifth of it."""
    chance = np.random.default_rng(seed)
    return (np.sqrt(product / n) * chance.uniform(0.9, 1.1, (m, n))).astype(np.float32)


INPUTS = (
    ("where all sines are positive", rows(7, 4, product=1.3, seed=1)),
    ("where all sines are negative", rows(3, 6, product=4.6, seed=2)),
    ("for a single row", rows(1, 5, product=2.2, seed=3)),
    ("for an array of zeros, whose sines are 0", np.zeros((4, 3), np.float32)),
)


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in NAMES])
@pytest.mark.hint(
    "In this order: `jnp.dot(x, x.T)`, the sine, the absolute value plus 1e-6, the logarithm, the sum of all elements."
)
def test_numbers(student, reference, name):
    """`{id}` returns the right number."""
    for what, x in INPUTS:
        value = student.function(name).export(f32[x.shape], returns=1)(x)
        assert_close(value, reference.heavy(x), rtol=RTOL, what=f"the result {what}")


@pytest.mark.hint("`compute_heavy_jit = jax.jit(compute_heavy)`, once, outside of any function.")
def test_one_program(student):
    """`compute_heavy_jit` is one program for all arrays of one shape."""
    one, other, larger = (
        rows(3, 4, product=1.2, seed=4),
        rows(3, 4, product=4.5, seed=5),
        rows(5, 4, product=1.2, seed=6),
    )
    student.compute_heavy_jit.assert_compiles_once([(one,), (other,)], new_shapes=[(larger,)])


@pytest.mark.hint("No `@jax.jit` on `compute_heavy`: it is what the other one is compared with.")
def test_eager(student):
    """`compute_heavy` is left without `jax.jit`."""
    student.compute_heavy.export(f32[2, 3], returns=1)
    if student.compute_heavy.is_jitted:
        fail("`compute_heavy` is itself jitted, so there is nothing to compare.")
