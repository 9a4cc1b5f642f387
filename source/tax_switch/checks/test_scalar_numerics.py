"""Public examples for `tax_switch`; the hidden tests use other incomes, and more of them."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, i32

TAXES = {25_000: 1_500, 70_000: 9_000, 250_000: 60_000}
BESIDE_THE_EDGES = {9_000: 0, 11_000: 100, 39_000: 2_900, 41_000: 3_200, 99_000: 14_800, 101_000: 15_300}
ATOL = 0.05
"""A twentieth of a coin: float32 holds seven digits, and the incomes here have up to six."""


@pytest.mark.hint("A rate applies to the part of the income inside its bracket, on top of the tax due at the start.")
def test_inside_the_brackets(student):
    """The tax is right for the incomes in the text."""
    program = student.tax_switch.export(f32, returns=f32)
    for income, tax in TAXES.items():
        assert_close(program(income), float(tax), atol=ATOL, what=f"the tax on {income:,}")


@pytest.mark.hint("The tax makes no jump at an edge.")
def test_beside_the_edges(student):
    """The tax is right on both sides of where a bracket begins."""
    program = student.tax_switch.export(f32, returns=f32)
    for income, tax in BESIDE_THE_EDGES.items():
        assert_close(program(income), float(tax), atol=ATOL, what=f"the tax on {income:,}")


@pytest.mark.hint("All branches must return one dtype. Convert the income to a float once, at the top.")
def test_integers(student):
    """Integer incomes and NumPy numbers give the same tax."""
    program = student.tax_switch.export(i32, returns=f32)
    for income, tax in TAXES.items():
        assert_close(program(income), float(tax), atol=ATOL, what=f"the tax on the int32 {income:,}")
        for number in (income, np.float64(income)):
            what = f"the tax on the {type(number).__name__} {income:,}"
            assert_close(student.tax_switch.jitted(number), float(tax), atol=ATOL, what=what)
