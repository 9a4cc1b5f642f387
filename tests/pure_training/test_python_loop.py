"""The loop in Python takes as many steps as it is asked for.

Short runs are exported with their number of steps built in, so that the student's code never sees the data. Long ones,
and loops that cannot be traced (since they print a loss as a number, say), are called.
"""

from __future__ import annotations

import pytest

from autograder.faults import RaisedFault
from autograder.suite import f32, fail

FEW = (1, 2, 5, 6)


@pytest.fixture(scope="module")
def trainer(student, reference):
    """The student's `train_python_loop`."""
    return reference.Trainer(student.train_python_loop)


@pytest.mark.weight(2)
@pytest.mark.hint("`for _ in range(num_steps): w, b = step(w, b, x, y, lr)`, then return both.")
def test_few_steps(trainer, reference):
    """After 1, 2, 5 and 6 steps w and b are right."""
    for count, result in zip(FEW, trainer.unrolled(reference.STEEP, FEW), strict=True):
        reference.assert_trained(result, reference.train(reference.STEEP, count), reference.after(count))


@pytest.mark.weight(1)
@pytest.mark.hint(
    "Without a step, or with a rate of 0, the start values come back: the loop does `num_steps` steps, no more."
)
def test_nothing_to_do(trainer, reference):
    """Without a step, and at a learning rate of 0, w and b stay as they are."""
    problem = reference.FLAT
    reference.assert_kept(trainer.unrolled(problem, [0])[0], problem, "after 0 steps")
    still = problem._replace(lr=0.0)
    reference.assert_kept(trainer.unrolled(still, [4])[0], still, "at a learning rate of 0")


@pytest.mark.weight(1)
@pytest.mark.timeout(60)
@pytest.mark.hint("How many steps there are is the argument `num_steps`, whatever it is.")
def test_many_steps(student, reference):
    """After 300 steps w and b are right."""
    problem = reference.SEEN._replace(lr=0.004)  # so slow that even the last step still shows
    result = student.train_python_loop(*problem.arguments, 300)
    reference.assert_trained(result, reference.train(problem, 300), "after 300 steps")


@pytest.mark.weight(1)
@pytest.mark.hint("Loop with Python's `for` here, and call `step` in it; `lax.fori_loop` belongs into `train_fori`.")
def test_loop_is_pythons(student, reference):
    """The loop is one of Python's: there is none in the program that a trace of it makes."""
    try:
        few, more = (
            student.train_python_loop.export(*reference.FLAT.avals, count, returns=(f32, f32)) for count in (3, 6)
        )
    except RaisedFault:  # it cannot be traced, so that it is Python's for certain, if it runs
        reference.as_pair(student.train_python_loop(*reference.SEEN.arguments, 2))
        return
    if few.loops():
        fail("The program holds a loop of JAX's.")
    if not more.size > few.size:
        fail("The program of twice as many steps is as long.")
