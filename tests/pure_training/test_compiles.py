"""One program trains for every rate and every number of steps, and a loop in Python compiles its step once.

A step that is not jitted compiles each of its operations once, so the loop in Python is run to its end before the
count: what is counted is whether the two hundred steps of another run make JAX compile again. One compile is allowed,
since a loop may jit its own step whenever it is called.
"""

from __future__ import annotations

import pytest

from autograder.suite import fail, i32

STEPS = 200


@pytest.mark.weight(2)
@pytest.mark.hint(
    "Put `@jax.jit` on `train_fori`, once, and leave all arguments traced: neither `lr` nor `num_steps` in "
    "static_argnames."
)
def test_one_program_for_all(student, reference):
    """Neither another rate nor another number of steps makes `train_fori` compile again."""
    problem = reference.SEEN
    calls = [(*problem._replace(lr=lr).arguments, count) for lr in (0.05, 0.01, 0.002) for count in (4, 11)]
    other = problem._replace(x=problem.x[::-1].copy(), w=1.0, b=2.0)
    student.train_fori.assert_compiles_once([*calls, (*other.arguments, 60)])


@pytest.mark.weight(1)
@pytest.mark.hint(
    "The name train_fori should stand for what jax.jit returned, not for a Python function that calls it."
)
def test_is_jitted(student, reference):
    """`train_fori` is itself a jitted function."""
    train_fori = student.train_fori
    if not train_fori.is_jitted:
        fail("`train_fori` is a Python function, and not the jitted function itself.")
    evidence = train_fori.export(*reference.SEEN.avals, i32)
    with student.count_compiles(evidence=evidence, fresh=True) as compiles:
        train_fori(*reference.SEEN.arguments, 3)
    if not compiles():
        fail("The first call of `train_fori` compiles nothing, so it is no jitted function.")


@pytest.mark.weight(1)
@pytest.mark.timeout(60)
@pytest.mark.hint(
    "Jit `step` where it is defined, or once before the loop: a lambda jitted in the loop is new in every round."
)
def test_python_loop(student, reference):
    """200 steps of `train_python_loop` compile `step` at most once."""
    first = reference.SEEN._replace(w=0.0, b=0.0)
    evidence = student.step.export(*first.avals)  # before the first run, since an export empties the caches
    student.clear_caches()
    student.train_python_loop(*first.arguments, STEPS)
    with student.count_compiles(evidence=evidence) as compiles:
        student.train_python_loop(*first._replace(w=1.0, b=-2.0, lr=0.02).arguments, STEPS)
    if compiles() > 1:
        fail(f"After one run, 200 steps compiled {compiles()} programs:\n{compiles.causes()}")
