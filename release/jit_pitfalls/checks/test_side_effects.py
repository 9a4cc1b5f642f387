"""Public example of `relax`; the hidden tests try other vectors."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32


@pytest.mark.hint("The mean of 0, 1 and 5 is 2: return the pair ([1, 1.5, 3.5], 3).")
def test_example(student):
    """[0, 1, 5] becomes [1, 1.5, 3.5], and the gap is 3."""
    moved, gap = student.relax.export(f32[3], returns=(f32[3], f32))(np.float32([0, 1, 5]))
    assert_close(moved, [1.0, 1.5, 3.5], what="the moved vector")
    assert_close(gap, 3.0, what="the gap")


@pytest.mark.hint("What the function has to tell goes out by its `return`: no list, no `global`, no `print`.")
def test_nothing_is_left_behind(student):
    """`relax` changes nothing outside of itself, and prints nothing while it is traced."""
    student.relax.assert_pure(f32[3])


@pytest.mark.hint("Put @jax.jit on the function, once.")
def test_compiles_once(student):
    """`relax` is jitted: other numbers compile nothing."""
    student.relax.assert_compiles_once([(f32([1, 2]),), (f32([5, 0]),)])
