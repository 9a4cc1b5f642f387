"""The number of rounds is static in one function and traced in the other, and it is known what each of them costs."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_count, assert_close, f32, fail, i32

RTOL = 1e-5
"""Up to 30 rounds in float32, each with two roundings of 6e-8, and 1.1 itself known to 2e-8."""

X = np.array([0.0, 1.0, -3.5, 20.0], np.float32)
ROUNDS = (0, 1, 2, 3, 8, 30)
AT = [(X, 2), (X + 1, 5), (2 * X + 3, 9)]


@pytest.mark.hint("n rounds of `x = 1.1 * x + 0.5`; no round at all for n = 0.")
def test_static_numbers(student, reference):
    """`apply_static` gives the right numbers."""
    for n in ROUNDS:
        value = student.apply_static.export(f32[4], n, returns=1)(X)
        assert_close(value, reference.applied(X, n), rtol=RTOL, atol=1e-5, what=f"the result after {n} rounds")


@pytest.mark.hint("`lax.fori_loop(0, n, body, x)` calls `body(i, x)`, which returns the next x.")
def test_fori_numbers(student, reference):
    """`apply_fori` gives the right numbers."""
    program = student.apply_fori.export(f32[4], i32, returns=1)
    for n, value in zip(ROUNDS, program.run([(X, n) for n in ROUNDS]), strict=True):
        assert_close(value, reference.applied(X, n), rtol=RTOL, atol=1e-5, what=f"the result after {n} rounds")


@pytest.mark.weight(2)
@pytest.mark.hint('`@partial(jax.jit, static_argnames="n")`, and an ordinary `for` over `range(n)` inside.')
def test_static_compiles_for_each_number(student):
    """`apply_static` compiles once for each new number of rounds, and not again for one that it has met."""
    apply_static = student.apply_static
    program = apply_static.export(f32[4], 4)
    student.clear_caches()
    apply_static(X, 4)
    for n, expected in ((6, 1), (4, 0), (11, 1), (6, 0)):
        with student.count_compiles(evidence=program) as compiles:
            apply_static(X + n, n)
        if compiles() != expected:
            met = "a number of rounds that it has met" if expected == 0 else "a new number of rounds"
            fail(f"For {met}, {compiles()} programs are compiled; {expected} was expected.\n{compiles.causes()}")


@pytest.mark.weight(2)
@pytest.mark.hint("`@jax.jit` without any static argument, and `lax.fori_loop(0, n, body, x)` inside.")
def test_fori_compiles_once(student):
    """One program of `apply_fori` serves all numbers of rounds."""
    student.apply_fori.assert_compiles_once([(f32([1, 2]), i32(n)) for n in (3, 7, 0, 12)])


@pytest.mark.weight(2)
@pytest.mark.hint("The result is what `lax.fori_loop` returns, with `n` as its upper bound.")
def test_fori_loop(student):
    """A loop of as many rounds as are asked for makes the result of `apply_fori`."""
    program = student.apply_fori.export(f32[4], i32, returns=1)
    if not program.loops():
        fail("There is no loop in the program.")
    if not (loops := program.loops(depends_on_input=1, decides_output=0, at=AT)):
        fail("No loop whose number of rounds depends on n makes the result.")
    inputs = [(X, 4), (X, 13)]
    if not any(list(program.trips(loop, inputs) or ()) == [4, 13] for loop in loops):
        fail("The loop of the program does not run n times.")


@pytest.mark.parametrize(
    "name", [pytest.param("static_programs", id="apply_static"), pytest.param("fori_programs", id="apply_fori")]
)
@pytest.mark.weight(0.5)
@pytest.mark.hint("Put `with count_compiles(...) as compiles:` around five calls, beginning with a new function.")
def test_counts(student, reference, name):
    """It is known how many programs of `{id}` the five calls need."""
    if as_count(student.value(name), what=f"`{name}`") != getattr(reference, name):
        fail(f"`{name}` is another number on this JAX.")
