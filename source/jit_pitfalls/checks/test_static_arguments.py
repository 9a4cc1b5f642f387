"""Public examples of settings; the hidden tests try other ones."""

from __future__ import annotations

import pytest

from autograder.suite import assert_close, f32, fail


@pytest.mark.hint("The object needs the attributes `steps` and `rate`, and must be hashable.")
def test_example(student):
    """From 0, two steps at a rate of 0.5 lead to 0.75."""
    assert_close(student.run_with.export(f32, 2, 0.5, returns=1)(0.0), 0.75, what="the result")


@pytest.mark.hint("Two objects of a plain class are equal only if they are one.")
def test_equal_settings_share_a_program(student):
    """Settings made anew of the same numbers compile nothing."""
    evidence = student.run_with.export(f32, 2, 0.5, returns=1)
    student.run_with(f32(0), 2, 0.5)
    with student.count_compiles(evidence=evidence) as compiles:
        student.run_with(f32(0), 2, 0.5)
    if compiles():
        fail(f"The same numbers, and yet:\n{compiles.causes()}")
