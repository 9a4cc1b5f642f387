"""The second function, which attacks leave alone, is graded on its merits."""

from autograder.suite import assert_close, f32


def test_double(student, reference):
    """Twice the number comes out."""
    assert_close(student.double.export(f32, returns=f32)(3.25), 6.5, rtol=2**-23)
