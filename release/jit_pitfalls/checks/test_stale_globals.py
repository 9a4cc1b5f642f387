"""Public checks of the form of `stale`, and an example of `fee`; the hidden tests know the truth and other numbers."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_entries, as_numpy, assert_close, f32, fail

COUNT = 8


@pytest.mark.hint("stale = [2, ...], one number for each call, in the order of the calls.")
def test_form(student):
    """There are eight predictions, and each is a number."""
    for number, entry in enumerate(as_entries(student.value("stale"), COUNT, name="stale"), start=1):
        if as_numpy(entry, what=f"the prediction for call {number}").shape != ():
            fail(f"The prediction for call {number} is no single number.")


@pytest.mark.hint("jnp.sum(jnp.maximum(x - free, 0)) * rate, with all three as arguments, in this order.")
def test_example(student):
    """Of 5, 12 and 30, 22 in all exceed 10; at a rate of 0.5 the fee is 11."""
    assert_close(
        student.fee.export(f32[3], f32, f32, returns=1)(np.float32([5, 12, 30]), 0.5, 10.0), 11.0, what="the fee"
    )


@pytest.mark.hint("`rate` and `free` are the function's own arguments; it reads no global of such a name.")
def test_reads_no_global(student):
    """`fee` depends on its arguments alone."""
    student.fee.assert_pure(f32[3], f32, f32, parameters=["rate", "free"])


@pytest.mark.hint("Leave `rate` and `free` traced: no static argument, and no `jit` anew for each rate.")
def test_compiles_once(student):
    """Another rate or free amount compiles nothing."""
    x = f32([5, 12])
    student.fee.assert_compiles_once([(x, f32(0.5), f32(10)), (x, f32(0.75), f32(4))])
