"""The root comes out of a loop that decides at run time when to stop, and that still works on the root when it does."""

from __future__ import annotations

import pytest

from autograder.suite import fail

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

TOL = 1e-6
NUMBERS = (0.012, 45.0, 350.0, 60_000.0, 2e6)
"""Newton's method takes between 7 and 15 steps for these."""

MOST_TRIPS = 40
"""A loop that runs longer than this for one of the numbers cannot come to rest there: some right ways to write the step
cycle between two neighbours until the cap ends them, and there half of the rounds change nothing."""

READY_MADE = (
    *("sqrt", "rsqrt", "cbrt", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic"),
    *("tanh", "tan", "sine", "cosine", "atan2", "complex", "cholesky", "triangular_solve", "fft"),
)
"""Operations that give a root without Newton's method. `power` is not among them, since `x ** 2.0` is one; a fractional
power has its root at once, and is found out because half of the loop's rounds then give it as well."""


def settled(program, loop, inputs):
    """Returns the inputs at which the loop comes to rest, and half the number of its rounds at each of them."""
    trips = program.trips(loop, inputs) or ()
    found = [(given, number // 2) for given, number in zip(inputs, trips, strict=False) if 1 < number <= MOST_TRIPS]
    return [given for given, _ in found], [half for _, half in found]


def needs_its_rounds(program, loop, inputs):
    """Tells whether half of the rounds give another root; after half of Newton's steps it is off by 1e-2 or more."""
    found, halves = settled(program, loop, inputs)
    return bool(found) and all(program.changed_by_limiting(loop, halves, found, output=0))


def moves_on(program, loop, inputs):
    """Tells whether the round after half of them moves the root on; a loop that only waits gives it out at its end."""
    found, halves = settled(program, loop, inputs)
    return any(program.moves_on(loop, halves, found))


@pytest.mark.hint(
    "Use lax.while_loop: its condition compares the last change with tol, its body makes one step, and the x that it "
    "returns is the root."
)
def test_a_loop_on_the_data_makes_the_root(student, reference):
    """The root comes out of a loop that decides at run time when to stop."""
    solve = reference.Solver(student.newton_sqrt, returns=None)
    program, inputs = solve.program(TOL), solve.inputs(NUMBERS, TOL)
    if ready := (*program.uses(*READY_MADE), *program.custom_calls):
        fail(f"The program uses a ready-made function: {', '.join(ready)[:200]}.")
    if not program.loops():
        fail("There is no loop in the program.", hint="A Python loop is unrolled while tracing: use lax.while_loop.")
    if not program.loops(depends_on_input=True):
        fail("The loop runs a fixed number of rounds, whatever the data.", hint="Let its condition compare with tol.")
    loops = program.loops(depends_on_input=True, decides_output=0, at=inputs)
    if not loops:
        fail("There is a loop that depends on the data, but what it computes is not the root that comes back.")
    loops = [loop for loop in loops if needs_its_rounds(program, loop, inputs)]
    if not loops:
        fail("The root is there before the loop ends: its later rounds do not change it.")
    if not any(moves_on(program, loop, inputs) for loop in loops):
        fail("The loop only waits: most of its rounds do not move the root on.")
