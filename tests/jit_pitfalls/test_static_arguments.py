"""Settings are compared by value: equal ones share a program, others have their own."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import assert_close, f32, fail

X = np.float32([0.0, 5.0, -2.0])
SETTINGS = ((4, 0.5), (4, 0.125), (7, 0.5), (1, 0.9))

# A few multiplications in float32.
RTOL = 1e-5


@pytest.mark.hint("The object needs the attributes `steps` and `rate`, and must be hashable.")
def test_values(student, reference):
    """The simulation runs with the settings that were asked for."""
    for steps, rate in SETTINGS:
        result = student.run_with.export(f32[3], steps, rate, returns=1)(X)
        assert_close(result, reference.simulated(X, steps, rate), rtol=RTOL, atol=RTOL, what="the result")


@pytest.mark.weight(2)
@pytest.mark.hint(
    "Two objects of a plain class are equal only if they are one. @dataclass(frozen=True), or `__eq__` and `__hash__`."
)
def test_equal_settings_share_a_program(student):
    """Settings made anew of the same numbers compile nothing."""
    evidence = student.run_with.export(f32[3], 4, 0.5, returns=1)
    student.clear_caches()
    student.run_with(X, 4, 0.5)
    with student.count_compiles(evidence=evidence) as compiles:
        for _ in range(3):
            student.run_with(X, 4, 0.5)
    if compiles():
        fail(f"The same numbers, and yet:\n{compiles.causes()}")


@pytest.mark.hint("Both numbers decide whether settings are equal: compare all that the object holds.")
def test_other_settings_have_their_own(student, reference):
    """Other settings compile one program each, and give their own result."""
    evidence = tuple(student.run_with.export(f32[3], steps, rate, returns=1) for steps, rate in SETTINGS)
    student.clear_caches()
    student.run_with(X, *SETTINGS[0])
    for steps, rate in SETTINGS[1:]:
        with student.count_compiles(evidence=evidence) as compiles:
            result = student.run_with(X, steps, rate)
        assert_close(result, reference.simulated(X, steps, rate), rtol=RTOL, atol=RTOL, what="the result")
        if compiles() != 1:
            fail("Other settings should compile exactly one program more.")
