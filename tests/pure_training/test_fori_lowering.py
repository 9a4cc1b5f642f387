"""The whole loop is inside one program: as many rounds as `num_steps` says, each of which works on w and b."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail, i32

COUNTS = (0, 1, 5, 23, 300)
NUM_STEPS = 5
"""Place of `num_steps` among the arguments."""

READY_MADE = (
    *("sqrt", "rsqrt", "cbrt", "exponential", "exponential_minus_one", "log", "log_plus_one", "complex"),
    *("sine", "cosine", "tan", "atan2", "cholesky", "triangular_solve", "fft"),
)
"""Operations that no step of gradient descent on a line needs, but a short cut through eigenvalues or a solver does.
`power` is not among them, since `err ** 2.0` is one."""


def trains(program, loop, given):
    """Tells whether a loop makes both results, a bit of each in its every round, and runs a round for every step.

    One round more or less is for the numbers to judge: who takes the first step before the loop has one less.
    """
    trips = program.trips(loop, [given(count) for count in COUNTS])
    if trips is None or any(abs(number - count) > 1 for number, count in zip(trips, COUNTS, strict=True)):
        return False
    rounds = dict(zip(COUNTS, trips, strict=True))
    return all(
        loop in program.loops(decides_output=output, at=[given(5), given(23)])
        and all(
            all(program.changed_by_limiting(loop, limit, [given(count)], output=output))
            for count in (5, 23)
            for limit in (rounds[count] - 1, rounds[count] // 2)
        )
        for output in (0, 1)
    )


@pytest.mark.hint(
    "One round is one step: `lax.fori_loop(0, num_steps, ...)` with w and b as its state. The last "
    "state, which it returns, is what `train_fori` returns."
)
def test_loop_in_the_program(student, reference):
    """Both results come out of a loop in the program that runs `num_steps` rounds, and each round takes one step."""
    slow = reference.FLAT._replace(lr=0.02)  # every single step shows in w and b
    program = student.train_fori.export(*slow.avals, i32, returns=(f32, f32))
    if ready := (*program.uses(*READY_MADE), *program.custom_calls):
        fail(f"The program uses what no step of gradient descent needs: {', '.join(ready)[:200]}.")
    if not program.loops():
        fail("There is no loop in the program.", hint="A Python loop is unrolled while tracing: use `lax.fori_loop`.")
    loops = program.loops(depends_on_input=NUM_STEPS)
    if not loops:
        fail("The loop runs a fixed number of rounds.", hint="Give `num_steps` to `lax.fori_loop` as its upper bound.")
    if not any(trains(program, loop, lambda count: (*slow.arguments, count)) for loop in loops):
        fail("No loop of the program takes `num_steps` steps, one in each of its rounds, to make w and b.")
