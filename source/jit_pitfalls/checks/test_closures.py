"""Public examples of scores; the hidden tests try other tables."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_entries, assert_close, f32, fail

TABLES = [np.float32([[1, 0], [0, 1]]), np.float32([[2, 1], [0, -1]])]
X = np.float32([0.5, 1.0])


@pytest.mark.hint("jnp.sum(jnp.tanh(table @ x)), with the table as the first argument and the vector as the second.")
def test_score(student):
    """The score of the identity and [0.5, 1] is tanh(0.5) + tanh(1)."""
    result = student.score.export(f32[2, 2], f32[2], returns=1)(TABLES[0], X)
    assert_close(result, np.tanh(0.5) + np.tanh(1.0), rtol=1e-4, what="the score")


@pytest.mark.hint("Jit `score` once, outside of any loop or function, with the table as a traced argument.")
def test_one_program(student):
    """Both tables are scored, and a second time nothing is compiled."""
    evidence = student.score.export(f32[2, 2], f32[2], returns=1)
    as_entries(student.score_all(TABLES, X), 2, name="score_all(...)")
    with student.count_compiles(evidence=evidence) as compiles:
        student.score_all(TABLES[::-1], X)
    if compiles():
        fail(f"Tables of a shape that was there before compile again:\n{compiles.causes()}")
