"""Public examples of single steps; the hidden tests try other data."""

from __future__ import annotations

import pytest

from autograder.suite import assert_close, f32, fail

X, Y = f32([0.0, 1.0, 2.0, 3.0]), f32([1.0, 3.0, 5.0, 7.0])
"""Four points on the line y = 2 x + 1."""


@pytest.mark.hint(
    "With err = w * x + b - y: w goes down by lr * mean(2 * err * x), b by lr * mean(2 * err), "
    "and both use the old w and b."
)
def test_one_step(student):
    """From w = 0 and b = 0, with lr = 0.1, one step leads to w = 1.7 and b = 0.8."""
    w, b = student.step.export(f32, f32, f32[4], f32[4], f32, returns=(f32, f32))(0.0, 0.0, X, Y, 0.1)
    assert_close(w, 1.7, what="w after one step")  # err is -1, -3, -5, -7: the means are -17 and -8
    assert_close(b, 0.8, what="b after one step")


@pytest.mark.hint("Divide by the number of points that there are: `jnp.mean`, and not a sum or a fixed number.")
def test_another_number_of_points(student):
    """The same points, each of them twice, lead to the same step."""
    program = student.step.export(f32, f32, f32[8], f32[8], f32, returns=(f32, f32))
    w, b = program(0.0, 0.0, f32([*X, *X]), f32([*Y, *Y]), 0.1)
    assert_close(w, 1.7, what="w")
    assert_close(b, 0.8, what="b")


@pytest.mark.hint("The rate of the step is `lr`, the argument; no other number and no global variable.")
def test_rate(student):
    """At a learning rate of 0 nothing changes, and at twice the rate the step is twice as long."""
    program = student.step.export(f32, f32, f32[4], f32[4], f32, returns=(f32, f32))
    if program(0.5, -0.5, X, Y, 0.0) != (0.5, -0.5):
        fail("At a learning rate of 0 w or b has changed.")
    w, b = program(0.0, 0.0, X, Y, 0.2)
    assert_close(w, 3.4, what="w at twice the rate")
    assert_close(b, 1.6, what="b at twice the rate")
