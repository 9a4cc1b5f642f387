"""Public example of a chart; the hidden tests draw other numbers."""

from __future__ import annotations

import math

import pytest

from autograder.suite import as_chart, fail

NAMES, MEANS, ERRORS = ["slow", "fast"], [4.0e-3, 1.0e-3], [5.0e-4, 1.25e-3]


@pytest.fixture
def chart(student):
    """Gives what the chart of two measurements shows."""
    return as_chart(student.chart(NAMES, MEANS, ERRORS), what="what `chart` returns")


@pytest.mark.hint("`ax.bar(names, means, yerr=errors)`")
def test_bars(chart):
    """There are two bars with their names, the first four times as long as the second."""
    if [bar.name for bar in chart.bars] != NAMES:
        fail(f"The bars bear the names {[bar.name for bar in chart.bars]}; {NAMES} was expected.")
    slow, fast = (bar.value - bar.base for bar in chart.bars)
    if not math.isclose(slow, 4 * fast, rel_tol=1e-3):
        fail("The first bar is not four times as long as the second.")


@pytest.mark.hint("`yerr=errors`, in the same unit as the means.")
def test_errors(chart):
    """The error bars are an eighth of the first bar, and more than the second."""
    for bar, share in zip(chart.bars, (0.125, 1.25), strict=True):
        if bar.errors is None:
            fail("A bar has no error bar.")
        if not all(math.isclose(reach, share * bar.value, rel_tol=1e-3) for reach in bar.errors):
            fail("An error bar has another length.")


@pytest.mark.hint("`ax.set_ylim(bottom=0)` after drawing, and `ax.set_ylabel(...)`.")
def test_axis(chart):
    """The axis of times is linear, begins at zero and has a label."""
    if chart.scale != "linear":
        fail(f"The axis of times is {chart.scale}.")
    if abs(chart.limits[0]) > 1e-3 * (chart.limits[1] - chart.limits[0]):
        fail(f"The axis of times begins at {chart.limits[0]:.3g}.")
    if not chart.label.strip():
        fail("The axis of times has no label.")
