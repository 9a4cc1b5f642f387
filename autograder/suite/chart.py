"""Reads what a chart shows: its bars, their errors, and the axis on which they are drawn.

What comes in was told by the student's kernel (`autograder.agent.drawing`), and is no more than what it says of itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.faults import StudentFault
from autograder.suite.assertions import sentence_case

_REMEDY = "Draw with matplotlib, and return the axes: `fig, ax = plt.subplots()`, ..., `return ax`."
_PARTS = {"x", "y", "title", "bars", "lines"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar.

    Attributes:
        name: The text of the tick below it, or its name in the legend; may be empty.
        base: Where it begins on the axis of values.
        value: Where it ends.
        errors: How far the error bar reaches below and above the value; `None` where there is none.
    """

    name: str
    base: float
    value: float
    errors: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A bar chart, upright or lying.

    Attributes:
        bars: From left to right, or from bottom to top.
        scale: That of the axis of values: `linear`, `log`, ...
        limits: Lower and upper end of that axis.
        label: The text along that axis; may be empty.
        title: The text above the chart; may be empty.
    """

    bars: tuple[Bar, ...]
    scale: str
    limits: tuple[float, float]
    label: str
    title: str


def as_chart(value: Any, *, what: str = "the chart") -> Chart:
    """Returns the bar chart that a function returned: an axes, a figure, or a tuple or list that holds one.

    Args:
        value: What the call gave.
        what: It in words.

    Raises:
        StudentFault: It is no chart of matplotlib, or has no bars.
    """
    axes = [one for one in _axes_of(value) if _is_axes(one)]
    if not axes:
        raise StudentFault(f"{sentence_case(what)} is no axes of matplotlib.", remedy=_REMEDY)
    with_bars = [one for one in axes if one["bars"]]
    if not with_bars:
        raise StudentFault(f"{sentence_case(what)} has no bars.")
    try:
        return _read(with_bars[0])
    except (TypeError, ValueError, KeyError, IndexError):
        raise StudentFault(f"{sentence_case(what)} cannot be read.", remedy=_REMEDY) from None


def _axes_of(value: Any) -> list[Any]:
    """Returns what may be axes in a value: itself, those of a figure, those in a tuple or list."""
    if isinstance(value, list | tuple):
        return [found for item in value for found in _axes_of(item)]
    if isinstance(value, dict) and isinstance(value.get("figure"), list):
        return list(value["figure"])
    return [value]


def _is_axes(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == _PARTS and isinstance(value["bars"], list)


def _read(axes: Mapping[str, Any]) -> Chart:
    boxes = [_numbers(bar[:4]) for bar in axes["bars"]]
    names = [_text(bar[4]) for bar in axes["bars"]]
    lying = _is_lying(boxes)
    values, places = (axes["x"], axes["y"]) if lying else (axes["y"], axes["x"])
    if lying:
        boxes = [(bottom, left, height, width) for left, bottom, width, height in boxes]
    lines = [_numbers(line) for line in axes["lines"]]
    if lying:
        lines = [(y0, x0, y1, x1) for x0, y0, x1, y1 in lines]
    ticks = [(_numbers(tick[:1])[0], _text(tick[1])) for tick in places["ticks"]]
    bars = [
        Bar(_name(box, ticks) or name, box[1], box[1] + box[3], _errors(box, lines))
        for box, name in sorted(zip(boxes, names, strict=True))
    ]
    low, high = sorted(_numbers(values["limits"]))
    return Chart(tuple(bars), _text(values["scale"]), (low, high), _text(values["label"]), _text(axes["title"]))


def _is_lying(boxes: Sequence[Sequence[float]]) -> bool:
    """Tells whether bars lie: they are equally thick upwards and begin at one place, and not so the other way."""
    (lefts, bottoms, widths, heights) = zip(*boxes, strict=True)
    return _equal(lefts) and _equal(heights) and not (_equal(bottoms) and _equal(widths))


def _equal(numbers: Sequence[float]) -> bool:
    return all(math.isclose(number, numbers[0], rel_tol=1e-6, abs_tol=1e-12) for number in numbers)


def _name(box: Sequence[float], ticks: Sequence[tuple[float, str]]) -> str:
    """Returns the text of the tick at the middle of a bar."""
    middle, half = box[0] + box[2] / 2, abs(box[2]) / 2
    near = [(abs(place - middle), text) for place, text in ticks if abs(place - middle) <= half and text.strip()]
    return min(near)[1] if near else ""


def _errors(box: Sequence[float], lines: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Returns how far a line along a bar reaches from its end."""
    middle, half, end = box[0] + box[2] / 2, abs(box[2]) / 2, box[1] + box[3]
    for x0, y0, x1, y1 in lines:
        if abs(x0 - middle) <= half and abs(x1 - middle) <= half and y0 != y1:
            return end - min(y0, y1), max(y0, y1) - end
    return None


def _numbers(values: Any) -> tuple[float, ...]:
    if not isinstance(values, list) or not all(type(number) in (int, float) for number in values):
        raise TypeError
    return tuple(float(number) for number in values)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
