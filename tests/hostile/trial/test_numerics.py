"""The value and the number of halvings are right: an exported program, run on hidden inputs."""

import pytest

from autograder.suite import assert_close, assert_equal, f32, i32

INPUTS = [(100.4375, 3.0), (7.0, 8.0), (1e6, 0.3)]


@pytest.fixture(scope="module")
def results(student):
    """What the program gives."""
    program = student.halve.export(f32, f32, returns=(f32, i32))
    return program.run(INPUTS)


def test_value(results, reference):
    """The value is right."""
    for given, (value, _) in zip(INPUTS, results, strict=True):
        assert_close(value, reference.oracle(*given)[0], rtol=2**-23, what="the value")


def test_steps(results, reference):
    """The halvings are counted."""
    for given, (_, steps) in zip(INPUTS, results, strict=True):
        assert_equal(steps, reference.oracle(*given)[1], what="the number of halvings")
