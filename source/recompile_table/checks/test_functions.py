"""Public checks of the experiments E7 and E8, with numbers of their own."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_entries, assert_close, f32, fail

COUNT = 3
X, WIDER = f32([1.0, 2.0]), f32([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    ("name", "expected"), [pytest.param(name, n, id=name) for name, n in (("new_functions", 3), ("same_function", 1))]
)
@pytest.mark.hint("Every `lambda` and every `def` that Python runs makes a new function object.")
def test_e7(student, name, expected):
    """E7: the three functions of {id} double x, and compile as often as they should."""
    as_entries(student.value(name), COUNT, name=name)
    functions = [student.function(f"{name}[{place}]") for place in range(COUNT)]
    for function in functions:
        assert_close(function.export(f32[2], returns=f32[2])(X), 2 * X, what=f"the result of `{function.name}`")
    with student.count_compiles(evidence=functions[0].export(f32[2]), fresh=True) as compiles:
        for function in functions:
            function.jitted_anew(X)
    if compiles() != expected:
        fail(f"`{name}`: three calls compiled {compiles()} programs.\n{compiles.causes()}")


@pytest.mark.hint("`shifted` returns x + offset; `set_offset(value)` needs `global offset`, and changes nothing else.")
def test_e8(student):
    """E8: old and new value live side by side."""
    student.set_offset(3.0)
    program = student.shifted.export(f32[2], returns=f32[2])
    assert_close(program(X), X + np.float32(3), what="the sum with the offset")
    student.clear_caches()
    student.shifted(X)
    student.set_offset(5.0)
    with student.count_compiles(evidence=program) as compiles:
        old = student.shifted(X)
    if compiles():
        fail(f"After the change the same call compiled again.\n{compiles.causes()}")
    assert_close(old, X + np.float32(3), what="the sum with the old offset")
    assert_close(student.shifted(WIDER), WIDER + np.float32(5), what="the sum with the new offset, for a new shape,")
