"""The program holds a loop that decides what comes out."""

from autograder.suite import f32, i32


def test_loop(student):
    """A loop on the data makes the value."""
    program = student.halve.export(f32, f32, returns=(f32, i32))
    assert program.loops(depends_on_input=True, decides_output=True, at=[(100.0, 3.0)]), "There is no such loop."
