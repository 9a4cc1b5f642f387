"""The chart shows the measurements as they are: bars from zero on a linear axis, each with its error."""

from __future__ import annotations

import math

import pytest

from autograder.suite import as_chart, fail

DATA = (
    (["eager", "jit"], [2.5e-4, 4.0e-5], [3.0e-5, 1.0e-5]),
    (["one", "two", "three"], [0.75, 0.5, 1.5], [0.125, 0.0625, 0.25]),
    (["steady", "shaky"], [3.0e-3, 1.0e-3], [1.0e-4, 1.5e-3]),
)
CLOSE = 1e-3
"""A chart is no place for more than three digits; values may be rounded, and drawn in milliseconds."""


@pytest.fixture(scope="module")
def charts(student):
    """Gives for each set of measurements what the chart of it shows."""
    return [as_chart(student.chart(*data), what="what `chart` returns") for data in DATA]


def unit_of(chart, means):
    """Returns by what the bars are larger than the numbers: 1000 where they are drawn in milliseconds."""
    if len(chart.bars) != len(means):
        fail(f"There are {len(chart.bars)} bars for {len(means)} measurements.")
    return sum(bar.value for bar in chart.bars) / sum(means)


def in_order(chart, names):
    """Returns the bars in the order of the names, as far as they bear them."""
    bars = list(chart.bars)
    found = {bar.name.strip(): bar for bar in bars}
    return [found[name] for name in names] if set(found) == set(names) else bars


@pytest.mark.weight(2)
@pytest.mark.hint("`ax.bar(names, means, ...)`: one bar for each, as high as its mean.")
def test_bars(charts):
    """Each measurement has one bar, which begins at zero and is as long as the mean."""
    for chart, (names, means, _) in zip(charts, DATA, strict=True):
        unit = unit_of(chart, means)
        for bar, mean in zip(in_order(chart, names), means, strict=True):
            if abs(bar.base) > CLOSE * unit * mean:
                fail("A bar does not begin at zero.")
            if not math.isclose(bar.value, unit * mean, rel_tol=CLOSE):
                fail("The bars are not as long as the means.")


@pytest.mark.hint("The first argument of `ax.bar` may be the names themselves.")
def test_names(charts):
    """Each bar bears its name."""
    for chart, (names, _, _) in zip(charts, DATA, strict=True):
        if sorted(bar.name.strip() for bar in chart.bars) != sorted(names):
            fail("The bars do not bear the names that were given.")


@pytest.mark.weight(2)
@pytest.mark.hint("`ax.bar(..., yerr=errors)`, in the same unit as the means.")
def test_errors(charts):
    """Each bar has an error bar that reaches as far as its error, up and down."""
    for chart, (names, means, errors) in zip(charts, DATA, strict=True):
        unit = unit_of(chart, means)
        for bar, error in zip(in_order(chart, names), errors, strict=True):
            if bar.errors is None:
                fail("A bar has no error bar.")
            if not all(math.isclose(reach, unit * error, rel_tol=CLOSE) for reach in bar.errors):
                fail("An error bar does not reach as far as the error that was given.")


@pytest.mark.weight(2)
@pytest.mark.hint(
    "`ax.set_ylim(bottom=0)` after drawing, and no logarithmic scale: half as long must mean half as much."
)
def test_axis(charts):
    """The axis of times is linear and begins at zero, also where an error bar would reach below it."""
    for chart in charts:
        if chart.scale != "linear":
            fail("The axis of times is not linear.")
        low, high = chart.limits
        if abs(low) > CLOSE * (high - low):
            fail(f"The axis of times begins {'below' if low < 0 else 'above'} zero.")
        if max(bar.value for bar in chart.bars) > high:
            fail("A bar is longer than the axis.")


@pytest.mark.hint('`ax.set_ylabel("seconds")`, or whatever unit the bars are drawn in.')
def test_label(charts):
    """The axis of times says what is drawn along it."""
    if not all(chart.label.strip() for chart in charts):
        fail("The axis of times has no label.")
