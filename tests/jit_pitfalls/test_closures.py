"""The table is an argument of one program, and all tables of a shape share it."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_entries, assert_close, f32, fail

CHANCE = np.random.default_rng(7)
TABLES = [CHANCE.normal(size=(6, 5)).astype(np.float32) for _ in range(6)]
X = CHANCE.normal(size=5).astype(np.float32)

# Sums of six numbers between -1 and 1, and products of vectors of five, in another order.
ATOL = 1e-4


@pytest.mark.hint("jnp.sum(jnp.tanh(table @ x)), with the table as the first argument and the vector as the second.")
def test_score(student, reference):
    """The score is that of the table that is given."""
    program = student.score.export(f32[6, 5], f32[5], returns=1)
    for table, score in zip(TABLES, program.run([(table, X) for table in TABLES]), strict=True):
        assert_close(score, reference.scored(table, X), atol=ATOL, what="the score")


@pytest.mark.hint("A list with `score(table, x)` for each of the tables, in their order.")
def test_score_all(student, reference):
    """The scores of several tables come back as a list, in their order."""
    scores = as_entries(student.score_all(TABLES[:4], X), 4, name="score_all(...)")
    for table, score in zip(TABLES, scores, strict=False):
        assert_close(score, reference.scored(table, X), atol=ATOL, what="a score")


@pytest.mark.weight(2)
@pytest.mark.hint("Jit `score` once, outside of any loop or function, with the table as a traced argument.")
def test_one_program(student):
    """All tables of one shape share one program, also at a later call with other tables."""
    evidence = student.score.export(f32[6, 5], f32[5], returns=1)
    student.clear_caches()
    if not student.score.is_jitted:
        fail("`score` is not jitted: every operation in it is a program of its own.")
    student.score_all(TABLES[:3], X)
    with student.count_compiles(evidence=evidence) as compiles:
        student.score_all(TABLES[3:], X)
    if compiles():
        fail(f"Tables of a shape that was there before compile again:\n{compiles.causes()}")
