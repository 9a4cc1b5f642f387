"""Public examples of what the program of `newton_sqrt` must look like; the hidden tests try other numbers."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail

INPUTS = [(0.03, 1e-6), (20.0, 1e-6), (5_000.0, 1e-6)]
READY_MADE = ("sqrt", "rsqrt", "cbrt", "exponential", "log", "cholesky")


@pytest.mark.hint(
    "A Python loop is unrolled while tracing, and lax.fori_loop has a fixed number of rounds: use lax.while_loop."
)
def test_a_loop_on_the_data(student):
    """There is a loop in the program that decides at run time when to stop."""
    program = student.newton_sqrt.export(f32, f32)
    if not program.loops():
        fail("There is no loop in the program.")
    if not program.loops(depends_on_input=True):
        fail("The loop runs a fixed number of rounds, whatever the data.")


@pytest.mark.hint("What lax.while_loop returns is the last state: take the root out of it.")
def test_the_loop_makes_the_root(student):
    """What the loop computes is the root that comes back, and nothing else has made it."""
    program = student.newton_sqrt.export(f32, f32)
    if ready := (*program.uses(*READY_MADE), *program.custom_calls):
        fail(f"The program uses a ready-made function: {', '.join(ready)}.")
    if not program.loops(depends_on_input=True, decides_output=0, at=INPUTS):
        fail("No loop that depends on the data decides the root.")
