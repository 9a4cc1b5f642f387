"""The loop inside the program takes as many steps as it is asked for; see `reference.py` for the tolerance."""

from __future__ import annotations

import pytest

FEW = (1, 2, 5, 6)


@pytest.fixture(scope="module")
def trainer(student, reference):
    """The student's `train_fori`."""
    return reference.Trainer(student.train_fori)


@pytest.mark.weight(2)
@pytest.mark.hint(
    "lax.fori_loop(0, num_steps, body, (w, b)): the body takes the round's number and the state, and returns what "
    "`step` makes of it."
)
def test_few_steps(trainer, reference):
    """After 1, 2, 5 and 6 steps w and b are right."""
    for problem in (reference.STEEP, reference.FLAT):
        for count, result in zip(FEW, trainer.traced(problem, FEW), strict=True):
            reference.assert_trained(result, reference.train(problem, count), reference.after(count))


@pytest.mark.weight(1)
@pytest.mark.timeout(60)
@pytest.mark.hint("How many steps there are, and on how many points, is for the arguments to say.")
def test_many_steps(trainer, reference):
    """After 300 steps, and on more data, w and b are right."""
    slow = reference.STEEP._replace(lr=0.004)  # so that even the last step still shows
    for problem, count in ((slow, 300), (reference.MANY, 40)):
        (result,) = trainer.traced(problem, [count])
        reference.assert_trained(result, reference.train(problem, count), reference.after(count))


@pytest.mark.weight(1)
@pytest.mark.hint("Without a step, or with a rate of 0, the start values come back.")
def test_nothing_to_do(trainer, reference):
    """Without a step, and at a learning rate of 0, w and b stay as they are."""
    problem = reference.FLAT
    reference.assert_kept(trainer.traced(problem, [0])[0], problem, "after 0 steps")
    still = problem._replace(lr=0.0)
    reference.assert_kept(trainer.traced(still, [6])[0], still, "at a learning rate of 0")


@pytest.mark.weight(1)
@pytest.mark.hint("Both loops take the same steps from the same start; only where the loop lives differs.")
def test_loops_agree(trainer, student, reference):
    """`train_fori` and `train_python_loop` come to the same."""
    python = reference.Trainer(student.train_python_loop)
    for count in (3, 8):
        (left,), (right,) = trainer.traced(reference.MANY, [count]), python.unrolled(reference.MANY, [count])
        reference.assert_trained(left, reference.as_pair(right), "of `train_fori`, held against the loop in Python,")
