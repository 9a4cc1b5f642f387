"""The gap comes back as a result, and nothing outside of the function changes."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32

VECTORS = [np.float32([4.0, -2.5, 0.25, 9.0, 9.0]), np.float32([7.0] * 5), np.float32([-1e3, 3.0, 2e3, 5.0, -0.5])]

# Sums of five numbers in another order, relative to the largest of them.
RTOL = 1e-5


@pytest.fixture(scope="module")
def results(student):
    """Gives what the program returns for each vector."""
    return student.relax.export(f32[5], returns=(f32[5], f32)).run([(vector,) for vector in VECTORS])


@pytest.mark.hint("The mean of x and the mean itself: (x + mean) / 2.")
def test_moved(results, reference):
    """Each number is moved half-way to the mean."""
    for vector, (moved, _) in zip(VECTORS, results, strict=True):
        assert_close(moved, reference.relaxed(vector)[0], atol=RTOL * np.abs(vector).max(), what="the moved vector")


@pytest.mark.hint("The largest absolute difference from the mean, of the numbers as they came in.")
def test_gap(results, reference):
    """The gap of before comes back as the second result."""
    for vector, (_, gap) in zip(VECTORS, results, strict=True):
        assert_close(gap, reference.relaxed(vector)[1], atol=RTOL * np.abs(vector).max(), what="the gap")


@pytest.mark.weight(2)
@pytest.mark.hint("What the function has to tell goes out by its `return`: no list, no `global`, no `print`.")
def test_nothing_is_left_behind(student):
    """`relax` changes nothing outside of itself, and prints nothing while it is traced."""
    student.relax.export(f32[5], returns=(f32[5], f32))
    student.relax.assert_pure(f32[5])


@pytest.mark.hint("Put @jax.jit on the function, once.")
def test_compiles_once(student):
    """`relax` is jitted: other numbers compile nothing, another length one program."""
    student.relax.assert_compiles_once(
        [(f32([1, 2, 4]),), (f32([5, 5, 0]),), (f32([-3, 8, 1]),)], new_shapes=[(f32([2, 4]),)]
    )
