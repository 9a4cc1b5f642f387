"""An ordinary call in the student's kernel gives the right value."""

from autograder.suite import assert_close, f32


def test_call(student, reference):
    """Three halvings are an eighth."""
    assert_close(student.halve_in_python(f32(104.25), 3), 104.25 / 8, rtol=2**-23)
