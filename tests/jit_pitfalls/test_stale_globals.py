"""What a stale program gives is predicted, and the repaired function reads no global.

The truth of the predictions is measured, by running the calls of the notebook on the JAX that grades.
"""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_entries, as_numpy, assert_close, f32, fail

COUNT = 8
EACH_CALL = pytest.mark.parametrize("number", [pytest.param(n, id=f"call {n}") for n in range(1, COUNT + 1)])
CALLS = [
    (np.float32([3, 11, 40, 10]), 0.25, 10.0),
    (np.float32([3, 11, 40, 10]), 0.5, 20.0),
    (np.float32([-5, 0, 2, 1]), 2.0, 5.0),
    (np.float32([-5, 0, 2, 1]), -1.0, -7.0),
]


@pytest.fixture(scope="module")
def stale(student):
    """Gives the entries of the student's list."""
    return as_entries(student.value("stale"), COUNT, name="stale")


@EACH_CALL
@pytest.mark.hint(
    "Did this call trace the function anew, or was there a program for this function object and shape? "
    "A trace reads the global of its moment; a program keeps what its own trace has read."
)
def test_prediction(stale, reference, number):
    """It is predicted what {id} gives."""
    what = f"the prediction for call {number}"
    entry = as_numpy(stale[number - 1], what=what)
    if entry.shape != ():
        fail(f"The prediction for call {number} is no single number.")
    if entry != reference.STALE_TRUTH[number - 1]:
        fail(f"The prediction for call {number} is wrong.")


@pytest.mark.weight(2)
@pytest.mark.hint("jnp.sum(jnp.maximum(x - free, 0)) * rate, with all three as arguments, in this order.")
def test_fee(student, reference):
    """The fee is right for other rates and free amounts."""
    results = student.fee.export(f32[4], f32, f32, returns=1).run(CALLS)
    for call, result in zip(CALLS, results, strict=True):
        assert_close(result, reference.fees(*call), rtol=1e-5, atol=1e-5, what="the fee")


@pytest.mark.weight(2)
@pytest.mark.hint("`rate` and `free` are the function's own arguments; it reads no global of such a name.")
def test_reads_no_global(student):
    """`fee` depends on its arguments alone, and leaves nothing behind."""
    student.fee.assert_pure(f32[4], f32, f32, parameters=["rate", "free", "x"])


@pytest.mark.weight(2)
@pytest.mark.hint("Leave `rate` and `free` traced: no static argument, and no `jit` anew for each rate.")
def test_compiles_once(student):
    """Neither another rate nor another free amount compiles again."""
    x = f32([3, 11, 40])
    student.fee.assert_compiles_once([(x, f32(0.25), f32(10)), (x, f32(0.5), f32(10)), (x, f32(0.5), f32(3))])
