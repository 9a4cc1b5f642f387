"""Public examples of the three functions, with every argument traced; the hidden tests try other numbers."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, i32


@pytest.mark.hint("jnp.where or jnp.maximum in place of `if`; an array of JAX in place of the tuple.")
def test_commission(student):
    """Of 100, grade 1 gets 5; of -100 it gets nothing."""
    program = student.commission.export(f32, i32, returns=1)
    assert_close(program(100.0, 1), 5.0, what="the commission")
    assert_close(program(-100.0, 1), 0.0, what="the commission of negative sales")


@pytest.mark.hint("What NumPy cannot do with a tracer, jnp can: jnp.std, jnp.mean, jnp.abs.")
def test_spread(student):
    """The spread of 1 and 3 is 0.5."""
    assert_close(student.spread.export(f32[2], returns=1)(np.float32([1, 3])), 0.5, what="the spread")


@pytest.mark.hint("lax.fori_loop(0, n, lambda i, x: ..., x) takes a traced n.")
def test_bounce(student):
    """0 bounces to 1, 0.5 and 0.875."""
    program = student.bounce.export(f32, i32, returns=1)
    for count, expected in enumerate([0.0, 1.0, 0.5, 0.875]):
        assert_close(program(0.0, count), expected, what=f"the result after {count} bounces")
