"""A chart of matplotlib is told by the student's kernel as plain values, and read as bars, errors and an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.faults import StudentFault
from autograder.suite.chart import Chart, as_chart
from autograder.suite.student import Student

NAMES, MEANS, ERRORS = ["one", "two", "three"], [3.0, 1.0, 2.0], [0.25, 1.5, 0.5]
HEAD = """
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
def chart(names, means, errors):
"""

Charted = Callable[[str], Chart]


@pytest.fixture
def charted(student_of: Callable[[str], Student]) -> Charted:
    """Reads the chart that a function with this body returns."""

    def read(body: str) -> Chart:
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        return as_chart(student_of(HEAD + lines).chart(NAMES, MEANS, ERRORS))

    return read


def bars_of(chart: Chart) -> dict[str, tuple[float, float, tuple[float, float] | None]]:
    """Returns what each bar shows, by its name."""
    return {bar.name: (bar.base, bar.value, bar.errors) for bar in chart.bars}


WAYS = {
    "upright": """
fig, ax = plt.subplots()
ax.bar(names, means, yerr=errors)
return ax
""",
    "lying": """
fig, ax = plt.subplots()
ax.barh(names, means, xerr=errors)
return fig, ax
""",
    "the figure": """
fig, ax = plt.subplots()
ax.bar(names, means, yerr=errors)
return fig
""",
    "two calls": """
plt.bar(range(3), means, tick_label=names)
plt.errorbar(range(3), means, errors, fmt='none')
return plt.gca()
""",
    "a legend": """
fig, ax = plt.subplots()
for k in range(3):
    ax.bar(k, means[k], yerr=errors[k], label=names[k])
ax.set_xticks([])
return [ax]
""",
    "lines": """
ax = plt.gca()
ax.bar(names, means)
ends = [(m - e, m + e) for m, e in zip(means, errors)]
ax.vlines(range(3), *zip(*ends))
return ax
""",
    "from the right edge": """
fig, ax = plt.subplots()
ax.bar(names, means, width=-0.5, align='edge')
ax.errorbar([-0.25, 0.75, 1.75], means, errors, fmt='none')
return ax
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_bars_are_read_however_they_were_drawn(charted: Charted, way: str) -> None:
    """Bars, names and errors are the same for every way to draw them."""
    expected = {name: (0.0, mean, (error, error)) for name, mean, error in zip(NAMES, MEANS, ERRORS, strict=True)}
    assert bars_of(charted(WAYS[way])) == expected


def test_axis_of_values_is_read(charted: Charted) -> None:
    """Scale, limits and label are those of the axis along which the bars lie."""
    body = "fig, ax = plt.subplots()\nax.barh(names, means)\nax.set(xlim=(0, 8), xlabel='ms', title='t')\nreturn ax"
    chart = charted(body)
    assert (chart.scale, chart.limits, chart.label, chart.title) == ("linear", (0.0, 8.0), "ms", "t")
    assert charted(body.replace("xlabel='ms'", "xscale='log'")).scale == "log"


def test_bar_without_error_has_none(charted: Charted) -> None:
    """A bar without an error bar has no errors, and a line elsewhere is none."""
    chart = charted("ax = plt.gca()\nax.bar(names, means)\nax.vlines([5.0], 0, 1)\nreturn ax")
    assert [bar.errors for bar in chart.bars] == [None, None, None]


def test_figures_of_a_call_are_closed(charted: Charted) -> None:
    """A figure that a call has opened is not left open."""
    charted(WAYS["upright"])
    import matplotlib.pyplot as plt

    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return None", "is no axes of matplotlib"),
        ("return plt", "is no axes of matplotlib"),
        ("return plt.bar(names, means)", "is no axes of matplotlib"),
        ("return plt.gca()", "has no bars"),
        ("ax = plt.gca()\nax.plot(means)\nreturn ax", "has no bars"),
        ("return {'figure': []}", "is no axes of matplotlib"),
        ("return dict(x=1, y=1, title='', bars=[[0, 0, 1, 1, '']], lines=[])", "is no axes of matplotlib"),
    ],
)
def test_what_is_no_chart_is_said(charted: Charted, body: str, says: str) -> None:
    """Whoever returns something else, also a dictionary that looks like a chart, is told so."""
    with pytest.raises(StudentFault, match=says):
        charted(body)


def told(**changed: Any) -> dict[str, Any]:
    """Returns what a kernel tells of one bar, with changes."""
    axis = {"scale": "linear", "limits": [0.0, 1.0], "label": "", "ticks": []}
    return {"x": axis, "y": axis, "title": "", "bars": [[0.0, 0.0, 1.0, 1.0, ""]], "lines": []} | changed


@pytest.mark.parametrize(
    "changed",
    [
        {"x": None},
        {"y": {}},
        {"y": {"scale": 1, "limits": [0.0, 1.0], "label": "", "ticks": []}},
        {"x": {"scale": "linear", "limits": [0.0, 1.0], "label": "", "ticks": [3]}},
        {"x": {"scale": "linear", "limits": [], "label": "", "ticks": []}, "y": told()["x"] | {"limits": [0.0]}},
        {"bars": [None]},
        {"bars": [[]]},
        {"bars": [["0", 0.0, 1.0, 1.0, ""]]},
        {"bars": [[0.0, 0.0, 1.0, 1.0, b""]]},
        {"lines": [[0.0]]},
        {"lines": 5},
        {"title": 5},
    ],
)
def test_malformed_chart_is_a_fault_of_the_student(changed: dict[str, Any]) -> None:
    """What no honest kernel tells is refused in words, and never an error of this program."""
    assert as_chart(told()).bars[0].value == 1.0
    with pytest.raises(StudentFault, match="cannot be read"):
        as_chart(told(**changed))
