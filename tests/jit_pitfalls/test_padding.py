"""The mask decides what counts, and three buckets serve all lengths with three programs."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, b1, f32, fail

LENGTHS = (4, 8, 10, 15, 1, 33, 64)
"""Their buckets are 8, 8, 16, 16, 8, 64 and 64."""

ONE_OF_EACH = (6, 12, 50)

# A mean of at most 64 numbers, summed in another order.
RTOL = 1e-5


def sample(length):
    """Returns as many numbers around 3, always the same for a length."""
    return np.random.default_rng(length).normal(3, 1, length).astype(np.float32)


def masked(fill):
    """Returns three padded vectors of 16 and their masks, with something else in the place of what does not count."""
    chance = np.random.default_rng(16)
    for mask in (np.arange(16) < 5, np.arange(16) < 16, chance.random(16) < 0.5):
        yield np.where(mask, sample(16), np.float32(fill)), mask


def assert_means(student, fill, what):
    """Asserts that the masked mean is that of the selected entries, whatever the other ones are."""
    calls = list(masked(fill))
    means = student.masked_mean.export(f32[16], b1[16], returns=1).run(calls)
    for (padded, mask), mean in zip(calls, means, strict=True):
        assert_close(mean, padded[mask].astype(np.float64).mean(), rtol=RTOL, what=what)


@pytest.mark.weight(2)
@pytest.mark.hint(
    "Divide the sum of the selected entries by their number: jnp.sum(mask), not the length of the vector."
)
def test_masked_mean(student):
    """The mean is that of the selected entries, wherever they stand."""
    assert_means(student, 0.0, "the masked mean")


@pytest.mark.weight(2)
@pytest.mark.hint("A product with weights is not enough: 0 * nan is nan. jnp.where(mask, padded, 0) leaves them out.")
@pytest.mark.parametrize("fill", [pytest.param(1e6, id="a large number"), pytest.param(np.nan, id="NaN")])
def test_filling_does_not_count(student, fill):
    """Entries that are not selected may hold {id}."""
    assert_means(student, fill, "the masked mean")


@pytest.mark.weight(2)
@pytest.mark.hint("Fill the vector up to the bucket, and let the mask be true for its own entries alone.")
def test_mean_of(student):
    """The mean of a vector is right for lengths from 1 to 64, also those of a bucket exactly."""
    for length in LENGTHS:
        values = sample(length)
        assert_close(
            student.mean_of(values), values.astype(np.float64).mean(), rtol=RTOL, what=f"the mean of {length} numbers"
        )


@pytest.mark.weight(4)
@pytest.mark.hint(
    "Fill up with NumPy, make the mask with NumPy, and call `masked_mean` with both: jnp.pad, jnp.arange and slices of "
    "JAX arrays are programs of their own for each length."
)
def test_seven_lengths(student):
    """Once every bucket has been met, seven more lengths compile nothing; every bucket has a program of its own."""
    evidence = tuple(student.masked_mean.export(f32[size], b1[size], returns=1) for size in (8, 16, 64))
    with student.count_compiles(evidence=evidence, fresh=True) as compiles:
        for length in ONE_OF_EACH:
            student.mean_of(sample(length))
    if compiles() < len(ONE_OF_EACH):
        fail("Three lengths from three buckets compile fewer than three programs.")
    with student.count_compiles(evidence=evidence) as compiles:
        for length in LENGTHS:
            student.mean_of(sample(length))
    if compiles():
        fail(f"Every bucket had been met, and yet other lengths compiled again:\n{compiles.causes()}")
