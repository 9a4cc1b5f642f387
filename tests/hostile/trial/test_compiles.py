"""One compile serves every number and every limit: counted in the student's kernel."""

from autograder.suite import f32


def test_once(student):
    """Another number or limit compiles nothing."""
    student.halve.assert_compiles_once([(f32(100), f32(3)), (f32(7), f32(2)), (f32(31), f32(0.5))])
