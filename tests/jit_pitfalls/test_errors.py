"""The repaired functions give for tracers what the broken ones give in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail, i32

SALES = (120.0, 0.5, 0.0, -3.0, 2e4)
VECTORS = [np.float32([3, 4, 8, -1]), np.float32([5, 5, 5, 5]), np.float32([-0.5, 0.25, 1e3, 2])]
COUNTS = (0, 1, 2, 9, 200)
STARTS = (0.5, -1.5)

RTOL = 1e-5


@pytest.mark.hint("jnp.where or jnp.maximum in place of `if`; an array of JAX in place of the tuple.")
def test_commission(student, reference):
    """The commission is right for every grade, and 0 for negative sales."""
    calls = [(sales, grade) for sales in SALES for grade in (0, 1, 2)]
    results = student.commission.export(f32, i32, returns=1).run(calls)
    for call, result in zip(calls, results, strict=True):
        assert_close(result, reference.commissioned(*call), rtol=RTOL, atol=1e-7, what="the commission")


@pytest.mark.hint("What NumPy cannot do with a tracer, jnp can: jnp.std, jnp.mean, jnp.abs.")
def test_spread(student, reference):
    """The spread is right, also of equal numbers."""
    results = student.spread.export(f32[4], returns=1).run([(vector,) for vector in VECTORS])
    for vector, result in zip(VECTORS, results, strict=True):
        assert_close(result, reference.spreads(vector), rtol=1e-4, atol=1e-6, what="the spread")


@pytest.mark.hint("lax.fori_loop(0, n, lambda i, x: ..., x) takes a traced n.")
def test_bounce(student, reference):
    """The last bounce is right, for no round at all as well as for many."""
    program = student.bounce.export(f32, i32, returns=1)
    calls = [(start, count) for start in STARTS for count in COUNTS]
    for call, result in zip(calls, program.run(calls), strict=True):
        assert_close(result, reference.bounced(*call), rtol=1e-4, what="the result")
    if not program.loops(depends_on_input=1):
        fail("The program has no loop whose number of rounds depends on n.")
