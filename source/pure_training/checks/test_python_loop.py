"""Public examples for the loop in Python; the hidden tests try other data and other numbers of steps."""

from __future__ import annotations

import pytest

from autograder.faults import RaisedFault
from autograder.suite import assert_close, f32, fail

X, Y = f32([0.0, 1.0, 2.0, 3.0]), f32([1.0, 3.0, 5.0, 7.0])
"""Four points on the line y = 2 x + 1."""


def train(student, num_steps):
    """Returns what comes of a few steps from 0 at the rate 0.1."""
    result = student.train_python_loop(f32(0), f32(0), X, Y, f32(0.1), num_steps)
    if not isinstance(result, tuple | list) or len(result) != 2:
        fail("A pair `(w, b)` should come back.")
    return result


@pytest.mark.hint("`for _ in range(num_steps): w, b = step(w, b, x, y, lr)`, then return both.")
def test_few_steps(student):
    """0, 1 and 2 steps from w = 0 and b = 0 lead to w = 0, 1.7 and 1.97, b = 0, 0.8 and 0.93."""
    for count, (w, b) in enumerate(((0.0, 0.0), (1.7, 0.8), (1.97, 0.93))):
        got = train(student, count)
        assert_close(got[0], w, atol=1e-6, what=f"w after {count} steps")
        assert_close(got[1], b, atol=1e-6, what=f"b after {count} steps")


@pytest.mark.hint("How many steps there are is the argument `num_steps`, whatever it is.")
def test_many_steps(student):
    """250 steps find the line."""
    w, b = train(student, 250)
    assert_close(w, 2.0, rtol=1e-3, what="w")
    assert_close(b, 1.0, rtol=1e-3, what="b")


@pytest.mark.hint("Loop with Python's `for` here, and call `step` in it; `lax.fori_loop` belongs into `train_fori`.")
def test_loop_is_pythons(student):
    """The loop is one of Python's: there is none in the program that a trace of it makes."""
    train(student, 1)
    try:
        program = student.train_python_loop.export(f32, f32, f32[4], f32[4], f32, 3, returns=(f32, f32))
    except RaisedFault:  # it can be called but not traced, so the loop is Python's
        return
    if program.loops():
        fail("The program holds a loop of JAX's.")
