"""`tax_switch` gives the tax on one income, whatever number it comes as."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import f32, i32

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

EDGES = (10_000.0, 40_000.0, 100_000.0)
INSIDE = (180.0, 6_125.5, 10_750.0, 23_456.75, 38_900.0, 41_333.0, 66_666.5, 98_500.0, 104_040.0, 313_131.0)
LARGE = (1e6, 2_345_678.0, 7.5e7, 1.25e9)
WHOLE = (0, 7, 10_000, 10_009, 33_333, 40_001, 57_913, 99_999, 123_457, 1_000_003)


@pytest.fixture(scope="module")
def program(student):
    """The program of `tax_switch` for a float32 income."""
    return student.tax_switch.export(f32, returns=f32)


def _check(program, reference, incomes):
    """Runs the program on every income and holds the taxes against the oracle."""
    taxes = program.run([(income,) for income in incomes])
    reference.assert_tax(np.stack(taxes), incomes)


@pytest.mark.weight(4)
@pytest.mark.hint("A rate applies to the part of the income inside its bracket, on top of the tax due at the start.")
def test_inside_the_brackets(program, reference):
    """The tax is right inside every bracket."""
    drawn = np.random.default_rng(2_718).uniform(0, 200_000, 24)
    _check(program, reference, np.concatenate([INSIDE, drawn]).astype(np.float32))


@pytest.mark.weight(2)
@pytest.mark.hint("The tax makes no jump: just below and just above an edge it is nearly the same.")
def test_at_the_edges(program, reference):
    """The tax is right on every edge and close to it, on both sides."""
    edges = np.array(EDGES, np.float32)
    near = [np.nextafter(edges, np.float32(0)), np.nextafter(edges, np.float32(np.inf)), edges - 1, edges + 1, edges]
    _check(program, reference, np.concatenate(near))


@pytest.mark.weight(1)
@pytest.mark.hint("The last bracket has no end, and who earns nothing pays nothing.")
def test_nothing_and_very_much(program, reference):
    """The tax is right for no income and for very large ones."""
    _check(program, reference, np.array([0.0, *LARGE], np.float32))


@pytest.mark.weight(2)
@pytest.mark.hint("All branches must return one dtype. Convert the income to a float once, at the top.")
def test_integer_arrays(student, reference):
    """An int32 income gives the same tax as a float one."""
    _check(student.tax_switch.export(i32, returns=f32), reference, np.array(WHOLE, np.int32))


@pytest.mark.weight(1)
@pytest.mark.hint("All branches must return one dtype. Convert the income to a float once, at the top.")
@pytest.mark.parametrize(
    "income",
    [
        pytest.param(52_345, id="python_int"),
        pytest.param(np.float64(117_000.25), id="numpy_float64"),
        pytest.param(np.int64(11_111), id="numpy_int64"),
    ],
)
def test_kinds_of_numbers(student, program, reference, income):
    """A Python number or a NumPy scalar is an income too."""
    program.assert_all_traced()  # a call is what the kernel says of itself; the program is the evidence beside it
    reference.assert_tax(student.tax_switch.jitted(income), income)
