"""Public examples for the loop in the program; the hidden tests try other data and other numbers of steps."""

from __future__ import annotations

import pytest

from autograder.suite import assert_close, f32, i32

X, Y = f32([0.0, 1.0, 2.0, 3.0]), f32([1.0, 3.0, 5.0, 7.0])
"""Four points on the line y = 2 x + 1."""


@pytest.fixture(scope="module")
def train(student):
    """Gives what comes of some steps from 0 at the rate 0.1: `train(num_steps)`."""
    program = student.train_fori.export(f32, f32, f32[4], f32[4], f32, i32, returns=(f32, f32))
    return lambda num_steps: program(0.0, 0.0, X, Y, 0.1, num_steps)


@pytest.mark.hint(
    "lax.fori_loop(0, num_steps, body, (w, b)): the body takes the round's number and the state, and returns what "
    "`step` makes of it."
)
def test_few_steps(train):
    """0, 1 and 2 steps from w = 0 and b = 0 lead to w = 0, 1.7 and 1.97, b = 0, 0.8 and 0.93."""
    for count, (w, b) in enumerate(((0.0, 0.0), (1.7, 0.8), (1.97, 0.93))):
        got = train(count)
        assert_close(got[0], w, atol=1e-6, what=f"w after {count} steps")
        assert_close(got[1], b, atol=1e-6, what=f"b after {count} steps")


@pytest.mark.hint("How many steps there are is the argument `num_steps`, whatever it is.")
def test_many_steps(train):
    """250 steps find the line."""
    w, b = train(250)
    assert_close(w, 2.0, rtol=1e-3, what="w")
    assert_close(b, 1.0, rtol=1e-3, what="b")


@pytest.mark.hint("Both loops take the same steps from the same start; only where the loop lives differs.")
def test_loops_agree(train, student):
    """`train_fori` and `train_python_loop` come to the same after 20 steps."""
    w, b = student.train_python_loop(f32(0), f32(0), X, Y, f32(0.1), 20)
    assert_close(train(20)[0], w, what="w of `train_fori`")
    assert_close(train(20)[1], b, what="b of `train_fori`")
