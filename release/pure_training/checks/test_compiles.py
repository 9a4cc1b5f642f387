"""Public examples of calls that may not compile again; the hidden tests make other ones."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail

X, Y = f32([0.0, 1.0, 2.0, 3.0]), f32([1.0, 3.0, 5.0, 7.0])


@pytest.mark.hint(
    "Put `@jax.jit` on `train_fori`, once, and leave all arguments traced: neither `lr` nor `num_steps` in "
    "static_argnames."
)
def test_one_program_for_all(student):
    """Neither another rate nor another number of steps makes `train_fori` compile again."""
    student.train_fori.assert_compiles_once(
        [(f32(0), f32(0), X, Y, f32(lr), count) for lr in (0.1, 0.02) for count in (3, 30)]
    )


@pytest.mark.hint(
    "The name train_fori should stand for what jax.jit returned, not for a Python function that calls it."
)
def test_is_jitted(student):
    """`train_fori` is itself a jitted function."""
    if not student.train_fori.is_jitted:
        fail("`train_fori` is a Python function, and not the jitted function itself.")


@pytest.mark.hint("Jit `step` where it is defined, or once before the loop: a lambda jitted in the loop is always new.")
def test_python_loop(student):
    """40 steps of `train_python_loop` compile `step` at most once."""
    evidence = student.step.export(f32, f32, f32[4], f32[4], f32)  # before the first run: it empties the caches
    student.clear_caches()
    student.train_python_loop(f32(0), f32(0), X, Y, f32(0.1), 40)
    with student.count_compiles(evidence=evidence) as compiles:
        student.train_python_loop(f32(1), f32(2), X, Y, f32(0.05), 40)
    if compiles() > 1:
        fail(f"After one run, 40 steps compiled {compiles()} programs:\n{compiles.causes()}")
