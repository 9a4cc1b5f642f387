"""The three functions depend on their arguments alone, and leave nothing behind; the hidden tests ask the same."""

from __future__ import annotations

import pytest

from autograder.suite import f32, i32

PARAMETERS = ("w", "b", "x", "y", "lr", "num_steps")
TRACED = (f32, f32, f32[4], f32[4], f32)
VALUES = (f32(0), f32(0), f32([0, 1, 2, 3]), f32([1, 3, 5, 7]), f32(0.1), 2)


@pytest.mark.hint("What a function uses comes in by its arguments: data, start values, `lr` and `num_steps`.")
def test_depends_on_its_arguments(student):
    """The functions depend on their arguments alone, and on no global data or settings."""
    student.step.purity(*TRACED, parameters=PARAMETERS).assert_depends_on_arguments()
    student.train_python_loop.purity(*VALUES, parameters=PARAMETERS).assert_depends_on_arguments()
    student.train_fori.purity(*TRACED, i32, parameters=PARAMETERS).assert_depends_on_arguments()


@pytest.mark.hint(
    "What a function has to tell goes out by its `return`: no `global`, no list or array outside of it. Inside of a "
    "traced function `jax.debug.print` prints; `print` runs while tracing, once."
)
def test_leaves_nothing_behind(student):
    """The functions change nothing outside of themselves."""
    student.step.purity(*TRACED).assert_leaves_nothing()
    student.train_python_loop.purity(*VALUES).assert_leaves_nothing()
    student.train_fori.purity(*TRACED, i32).assert_leaves_nothing()
