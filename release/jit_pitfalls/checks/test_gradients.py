"""Public examples of derivatives; the hidden tests try other rates and years."""

from __future__ import annotations

import pytest

from autograder.suite import assert_close, f32, fail, i32


def assert_loops(program, at):
    """Asserts that a loop of the program makes the derivative."""
    if not program.loops(decides_output=0, at=at):
        fail("No loop of the program makes the derivative.")


@pytest.mark.hint("jax.grad of a function of r that loops 25 rounds, lax.fori_loop(0, 25, ...), from 0.3.")
def test_slope_fixed(student):
    """At r = 2 the population is 0.5 after 25 years, and its derivative 0.25."""
    program = student.slope_fixed.export(f32, returns=1)
    assert_close(program(2.0), 0.25, rtol=1e-3, what="the derivative")
    assert_loops(program, [(2.5,)])


@pytest.mark.hint("jax.jacfwd differentiates forwards, also through a loop whose bound is traced.")
def test_slope(student):
    """The derivative is 0 after no year, 0.21 after one, and the same as that of `slope_fixed` after 25."""
    program = student.slope.export(f32, i32, returns=1)
    for years, expected in ((0, 0.0), (1, 0.21), (25, 0.25)):
        assert_close(program(2.0, years), expected, rtol=1e-3, atol=1e-6, what=f"the derivative after {years} years")
    assert_loops(program, [(2.5, 9)])
