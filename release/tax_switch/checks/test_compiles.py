"""Public examples of calls that may not compile again; the hidden tests make other ones."""

from __future__ import annotations

import pytest

from autograder.suite import f32

HINT = "Does the Python code look at a value, keep a state, or compute something while it is traced?"


@pytest.mark.hint(HINT)
def test_one_income(student):
    """Another income does not recompile `tax_switch`."""
    student.tax_switch.jitted.assert_compiles_once([(f32(income),) for income in (5_000, 25_000, 70_000)])


@pytest.mark.hint(HINT)
def test_arrays(student):
    """Other incomes do not recompile `tax_vectorized`, and a new shape compiles exactly one program."""
    student.tax_vectorized.jitted.assert_compiles_once(
        [(f32([25_000, 70_000]),), (f32([250_000, 0]),)], new_shapes=[(f32([25_000, 70_000, 250_000]),)]
    )
