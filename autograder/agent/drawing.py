"""An axes or a figure of matplotlib is told as plain values, so that what a chart shows can be judged elsewhere.

Matplotlib is never imported here: where no notebook has imported it, there is nothing to tell.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MAX_MARKS = 1000
"""Bars, and lines, of which a chart tells; more than any chart that a person can read."""

MAX_PARTS = 10
"""Entries of a tuple or list in which charts are looked for, as in `return fig, ax`."""


def told(value: Any) -> Any:
    """Returns a value with each axes and figure in it, also in a tuple or a list, as a dictionary of plain values.

    See `autograder.suite.chart.as_chart`, which reads it.
    """
    try:
        return _told(value, _class("matplotlib.axes", "Axes"), _class("matplotlib.figure", "Figure"))
    except Exception:  # a class of the student's may raise anything: then it is no chart
        return value


def _told(value: Any, axes: Any, figure: Any) -> Any:
    if axes is not None and isinstance(value, axes):
        return _axes(value)
    if figure is not None and isinstance(value, figure):
        return {"figure": [_axes(one) for one in value.axes]}
    if type(value) is dict and set(value) in ({"figure"}, {"x", "y", "title", "bars", "lines"}):
        return object()  # a dictionary that looks like a chart is none
    if type(value) in (tuple, list) and len(value) <= MAX_PARTS:
        return type(value)(_told(item, axes, figure) for item in value)
    return value


@contextmanager
def closing_figures() -> Iterator[None]:
    """Closes, at the end of the block, the figures that pyplot opened in it: nobody wants to see them again."""
    before = set(_figures())
    try:
        yield
    finally:
        for number in set(_figures()) - before:
            sys.modules["matplotlib.pyplot"].close(number)


def _figures() -> list[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return [] if pyplot is None else pyplot.get_fignums()


def _class(module: str, name: str) -> Any:
    return getattr(sys.modules.get(module), name, None)


def _axes(axes: Any) -> dict[str, Any]:
    return {
        "x": _axis(axes.xaxis, axes.get_xlim(), axes.get_xlabel()),
        "y": _axis(axes.yaxis, axes.get_ylim(), axes.get_ylabel()),
        "title": str(axes.get_title()),
        "bars": list(_bars(axes)),
        "lines": list(_lines(axes)),
    }


def _axis(axis: Any, limits: Any, label: Any) -> dict[str, Any]:
    texts = [text.get_text() for text in axis.get_ticklabels()]
    ticks = [[float(place), text] for place, text in zip(axis.get_ticklocs(), texts, strict=False)]
    return {
        "scale": str(axis.get_scale()),
        "limits": [float(limit) for limit in limits],
        "label": str(label),
        "ticks": ticks[:MAX_MARKS],
    }


def _bars(axes: Any) -> Iterator[list[Any]]:
    """Yields left, bottom, width, height and the name in the legend of each rectangle."""
    groups = [(group, getattr(group, "patches", ())) for group in axes.containers]
    names = {id(patch): group.get_label() for group, patches in groups for patch in patches}
    for patch in [patch for patch in axes.patches if hasattr(patch, "get_height")][:MAX_MARKS]:
        label = str(patch.get_label() or "")
        if label.startswith("_"):
            label = str(names.get(id(patch)) or "")
        box = [float(side) for side in (patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height())]
        yield [*box, "" if label.startswith("_") else label]


def _lines(axes: Any) -> Iterator[list[float]]:
    """Yields both ends of each straight line that belongs to a collection, as error bars do."""
    segments = [line for group in axes.collections if hasattr(group, "get_segments") for line in group.get_segments()]
    for line in segments[:MAX_MARKS]:
        if len(line) == 2:
            yield [float(number) for point in line for number in point]
