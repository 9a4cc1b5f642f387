"""Both functions, jitted by the harness, compile once for each signature."""

from __future__ import annotations

import pytest

from autograder.suite import f32

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

HINT = "Does the Python code look at a value, keep a state, or compute something while it is traced?"


@pytest.mark.hint(HINT)
def test_one_income(student):
    """Another income does not recompile `tax_switch`."""
    student.tax_switch.jitted.assert_compiles_once([(f32(income),) for income in (500, 15_500, 45_500, 150_500, 35)])


@pytest.mark.hint(HINT)
def test_arrays(student):
    """Other incomes do not recompile `tax_vectorized`, and a new shape compiles exactly one program."""
    student.tax_vectorized.jitted.assert_compiles_once(
        [(f32([first + step * n for n in range(12)]),) for first, step in ((50, 15_000), (250_050, -9), (1, 1))],
        new_shapes=[(f32([20_050, 70_050, 110_050, 3, 4]),)],
    )
