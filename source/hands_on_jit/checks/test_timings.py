"""Public check of the form of the measurements. Their size is for you to judge: it depends on your machine."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import fail


@pytest.mark.hint('`return {"eager": bench(compute_heavy, x, repeat=repeat), "jit": bench(...)}`')
def test_form(student):
    """`measure` returns what `bench` gives for both, with as many calls as were asked for."""
    measured = student.measure(np.ones((4, 3), np.float32), 5)
    if not isinstance(measured, dict) or not set(measured) >= {"eager", "jit"}:
        fail('`measure` should return a dictionary with the keys `"eager"` and `"jit"`.')
    for name in ("eager", "jit"):
        found = measured[name]
        if not isinstance(found, tuple) or len(found) != 4:
            fail(f'`measure` should give what `bench` returned under `"{name}"`.')
        if found[3] != 5:
            fail(f"`measure` was asked for 5 calls, and made another number for {name}.")
