"""Public examples of the rounds; the hidden tests try other numbers of them."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_count, assert_close, f32, fail, i32

X = np.array([0.0, 10.0], np.float32)
AFTER_TWO = np.array([1.05, 13.15], np.float32)


@pytest.mark.hint("n rounds of `x = 1.1 * x + 0.5`.")
def test_numbers(student):
    """Two rounds turn 0 into 1.05 and 10 into 13.15."""
    assert_close(student.apply_static.export(f32[2], 2, returns=1)(X), AFTER_TWO, what="the result of `apply_static`")
    program = student.apply_fori.export(f32[2], i32, returns=1)
    assert_close(program(X, 2), AFTER_TWO, what="the result of `apply_fori`")


@pytest.mark.hint('`@partial(jax.jit, static_argnames="n")`, and an ordinary `for` over `range(n)` inside.')
def test_static(student):
    """`apply_static` compiles for each new number of rounds."""
    program = student.apply_static.export(f32[2], 2)
    student.clear_caches()
    student.apply_static(X, 2)
    for n, expected in ((3, 1), (2, 0)):
        with student.count_compiles(evidence=program) as compiles:
            student.apply_static(X, n)
        if compiles() != expected:
            fail(f"After a call with n = 2, one with n = {n} compiles {compiles()} programs; {expected} was expected.")


@pytest.mark.hint("`@jax.jit` without any static argument, and `lax.fori_loop(0, n, body, x)` inside.")
def test_fori(student):
    """`apply_fori` is one program with a loop in it, whatever the number of rounds."""
    student.apply_fori.assert_compiles_once([(f32([1, 2]), i32(n)) for n in (2, 3, 2)])
    if not student.apply_fori.export(f32[2], i32, returns=1).loops(depends_on_input=1):
        fail("No loop in the program depends on the number of rounds.")


@pytest.mark.parametrize(
    "name", [pytest.param("static_programs", id="apply_static"), pytest.param("fori_programs", id="apply_fori")]
)
@pytest.mark.hint("Write a number; whether it is the right one, only the hidden tests tell.")
def test_counts(student, name):
    """The number of programs of `{id}` is filled in."""
    as_count(student.value(name), what=f"`{name}`")
