"""Derivatives come out of loops in the program: one of fixed length, one for every length."""

from __future__ import annotations

import pytest

from autograder.suite import assert_close, f32, fail, i32

RATES = (0.5, 1.7, 2.4, 2.9)
COUNTS = (0, 1, 2, 13, 50)
SIZE = 1_000
"""Operations; the model answers have about 50, an unrolled derivative of 50 years has thousands."""

# Fifty rounds in float32; near r = 3 each round carries the errors of the one before over almost undiminished.
RTOL, ATOL = 1e-3, 1e-4


def assert_loops(program, at):
    """Asserts that a loop of the program makes the derivative."""
    if not program.loops():
        fail("There is no loop in the program.", hint="A Python loop is unrolled while tracing: use lax.fori_loop.")
    if not program.loops(decides_output=0, at=at):
        fail("There is a loop, but it does not make the derivative.")
    if program.size > SIZE:
        fail("The program is unrolled.", hint="A Python loop is unrolled while tracing: use lax.fori_loop.")


@pytest.mark.hint("jax.grad of a function of r that loops 25 rounds, lax.fori_loop(0, 25, ...), from 0.3.")
def test_slope_fixed(student, reference):
    """The derivative after 25 years is right."""
    results = student.slope_fixed.export(f32, returns=1).run([(r,) for r in RATES])
    for r, result in zip(RATES, results, strict=True):
        assert_close(result, reference.slopes(r, reference.YEARS), rtol=RTOL, atol=ATOL, what="the derivative")


@pytest.mark.hint("The bounds 0 and 25 are Python numbers; the loop itself is a lax.fori_loop or lax.scan.")
def test_slope_fixed_loops(student):
    """The derivative after 25 years comes out of a loop in the program."""
    assert_loops(student.slope_fixed.export(f32, returns=1), [(r,) for r in (1.7, 2.4)])


@pytest.mark.hint("jax.jacfwd differentiates forwards, also through a loop whose bound is traced.")
def test_slope(student, reference):
    """The derivative after n years is right, from 0 to 50 years."""
    calls = [(r, count) for r in RATES for count in COUNTS]
    results = student.slope.export(f32, i32, returns=1).run(calls)
    for (r, count), result in zip(calls, results, strict=True):
        assert_close(result, reference.slopes(r, count), rtol=RTOL, atol=ATOL, what="the derivative")


@pytest.mark.hint("Leave n traced, and loop inside of the function: no list of 50 results, no program for each n.")
def test_slope_loops(student):
    """One program with a loop serves every n."""
    assert_loops(student.slope.export(f32, i32, returns=1), [(1.7, 13), (2.4, 40)])
    student.slope.jitted.assert_compiles_once([(f32(1.7), i32(3)), (f32(1.7), i32(8)), (f32(2.4), i32(40))])
