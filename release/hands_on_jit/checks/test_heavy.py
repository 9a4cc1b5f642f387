"""Public examples of the computation; the hidden tests try other arrays."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail

X = np.array([[1.0, 0.5], [0.5, 2.0], [0.25, 1.0]], np.float32)
NAMES = ("compute_heavy", "compute_heavy_jit")


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in NAMES])
@pytest.mark.hint(
    "In this order: `jnp.dot(x, x.T)`, the sine, the absolute value plus 1e-6, the logarithm, the sum of all elements."
)
def test_example(student, name):
    """`{id}` returns the right number for the example of the text."""
    value = student.function(name).export(f32[3, 2], returns=1)(X)
    assert_close(value, -1.39427, rtol=1e-4, what="the result")


@pytest.mark.hint("`compute_heavy_jit = jax.jit(compute_heavy)`, and no `@jax.jit` on `compute_heavy` itself.")
def test_jitted(student):
    """`compute_heavy_jit` is jitted, and `compute_heavy` is not."""
    student.compute_heavy_jit.assert_compiles_once([(X,), (X + 1,)], new_shapes=[(X[:2],)])
    if student.compute_heavy.is_jitted:
        fail("`compute_heavy` is itself jitted, so there is nothing to compare.")
