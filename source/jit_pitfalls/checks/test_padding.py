"""Public examples of masks and lengths; the hidden tests try other ones."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, b1, f32, fail


@pytest.mark.hint(
    "Divide the sum of the selected entries by their number: jnp.sum(mask), not the length of the vector."
)
def test_masked_mean(student):
    """The mean of 1, 2 and 6 is 3, whatever stands behind them."""
    program = student.masked_mean.export(f32[5], b1[5], returns=1)
    for fill in (0.0, 99.0):
        mean = program(np.float32([1, 2, 6, fill, fill]), np.array([True, True, True, False, False]))
        assert_close(mean, 3.0, what="the masked mean")


@pytest.mark.hint("Fill the vector up to the bucket, and let the mask be true for its own entries alone.")
def test_mean_of(student):
    """The means of 0..4 and of 0..19 are 2 and 9.5."""
    for length in (5, 20):
        mean = student.mean_of(np.arange(length, dtype=np.float32))
        assert_close(mean, (length - 1) / 2, what=f"the mean of {length} numbers")


@pytest.mark.hint("jnp.pad, jnp.arange and slices of JAX arrays are programs of their own for each length: use NumPy.")
def test_second_length_of_a_bucket(student):
    """Another length of the same bucket compiles nothing."""
    evidence = student.masked_mean.export(f32[16], b1[16], returns=1)
    student.clear_caches()
    student.mean_of(np.ones(11, np.float32))
    with student.count_compiles(evidence=evidence) as compiles:
        student.mean_of(np.ones(13, np.float32))
    if compiles():
        fail(f"11 numbers and 13 numbers fit into one bucket, and yet:\n{compiles.causes()}")
