"""Public examples of what the program of `train_fori` must look like; the hidden tests try other data."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail, i32

X, Y = f32([0.0, 1.0, 2.0, 3.0]), f32([1.0, 3.0, 5.0, 7.0])
COUNTS = [0, 2, 9]


@pytest.fixture(scope="module")
def program(student):
    """`train_fori` as one program for every number of steps."""
    return student.train_fori.export(f32, f32, f32[4], f32[4], f32, i32, returns=(f32, f32))


def given(num_steps):
    """Returns the arguments for some steps at a slow rate."""
    return 0.0, 0.0, X, Y, 0.01, num_steps


@pytest.mark.hint("One round is one step: `lax.fori_loop(0, num_steps, ...)`; a loop of Python's is unrolled.")
def test_rounds(program):
    """The program has a loop that runs `num_steps` rounds, whatever their number."""
    inputs = [given(count) for count in COUNTS]
    if not program.loops():
        fail("There is no loop in the program.")
    if not any(program.trips(loop, inputs) == COUNTS for loop in program.loops(depends_on_input=5)):
        fail("No loop of the program runs exactly `num_steps` rounds.")


@pytest.mark.hint("What `lax.fori_loop` returns is the last state: return w and b out of it.")
def test_loop_trains(program):
    """What comes back is what the loop has made of w and b, up to its last round."""
    at = [given(9)]
    loops = program.loops(depends_on_input=5, decides_output=0, at=at)
    if not any(program.changed_by_limiting(loop, 8, at, output=0)[0] for loop in loops):
        fail("No loop with `num_steps` rounds makes w.")
    loops = program.loops(depends_on_input=5, decides_output=1, at=at)
    if not any(program.changed_by_limiting(loop, 8, at, output=1)[0] for loop in loops):
        fail("No loop with `num_steps` rounds makes b.")
