"""Both ways are measured properly. What the clock says is judged as a ratio alone, and on a quiet machine only."""

from __future__ import annotations

import math

import numpy as np
import pytest

from autograder.suite import fail

X = np.random.default_rng(11).normal(size=(30, 30)).astype(np.float32)
ATTEMPTS = 3
QUIET = 1.5
"""On a quiet machine the mean of many calls is at most so many times the shortest of them."""

REVERSED = 0.5
"""Eager calls that take less than this part of the time of jitted ones are jitted ones; right would be 2 and more."""


def timing(measured, name):
    """Returns mean, deviation, minimum and number of calls of one of the two, in seconds."""
    if not isinstance(measured, dict) or not set(measured) >= {"eager", "jit"}:
        fail('`measure` should return a dictionary with the keys `"eager"` and `"jit"`.')
    found = measured[name]
    if not isinstance(found, tuple | list) or len(found) != 4 or not all(type(part) in (int, float) for part in found):
        fail(f'`measure` should give what `bench` returned under `"{name}"`.')
    return found


@pytest.mark.hint('`return {"eager": bench(compute_heavy, x, repeat=repeat), "jit": bench(...)}`')
def test_form(student):
    """Both are measured, with as many calls as were asked for."""
    for repeat in (3, 12):
        measured = student.measure(X, repeat)
        for name in ("eager", "jit"):
            mean, deviation, least, number = timing(measured, name)
            if number != repeat:
                fail(f"`measure` was asked for a number of calls, and made another one for {name}.")
            if not (all(math.isfinite(part) for part in (mean, deviation)) and 0 < least <= mean and deviation >= 0):
                fail(f"No clock can have given these numbers for {name}.")


@pytest.mark.hint("Which of the two functions was measured under which name?")
def test_which_is_which(student):
    """The measurements are not swapped."""
    for _ in range(ATTEMPTS):
        measured = student.measure(X, 20)
        eager, jit = timing(measured, "eager"), timing(measured, "jit")
        noisy = any(mean > QUIET * least for mean, _, least, _ in (eager, jit))
        if noisy or eager[2] > REVERSED * jit[2]:
            return
    fail("Again and again the eager calls seem to take less than half of the time of the jitted ones.")
