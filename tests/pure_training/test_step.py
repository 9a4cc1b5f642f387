"""One step of gradient descent is right, on data of any size; see `reference.py` for the tolerance."""

from __future__ import annotations

import pytest

from autograder.suite import f32

FORMULA = (
    "With err = w * x + b - y: w goes down by lr * mean(2 * err * x), b by lr * mean(2 * err), "
    "and both use the old w and b."
)


@pytest.fixture(scope="module")
def take(student):
    """Gives what comes of one step: `take(problem)`; one program for every size."""
    programs = {}

    def run(problem):
        if problem.avals not in programs:
            programs[problem.avals] = student.step.export(*problem.avals, returns=(f32, f32))
        return programs[problem.avals](*problem.arguments)

    return run


@pytest.mark.weight(2)
@pytest.mark.hint(FORMULA)
def test_one_step(take, reference):
    """One step leads to the right w and b."""
    for problem in (reference.STEEP, reference.FLAT):
        reference.assert_trained(take(problem), reference.train(problem, 1), "after one step")


@pytest.mark.weight(1)
@pytest.mark.hint("Divide by the number of points that there are: `jnp.mean`, and not a sum or a fixed number.")
def test_another_number_of_points(take, reference):
    """The step is right for another number of points, another line and another rate."""
    problem = reference.MANY
    reference.assert_trained(take(problem), reference.train(problem, 1), "after one step on more data")


@pytest.mark.weight(1)
@pytest.mark.hint("The rate of the step is `lr`, the argument; no other number and no global variable.")
def test_rate(take, reference):
    """The rate is the argument `lr`: with 0 nothing changes, with more of it the step is longer."""
    reference.assert_kept(take(reference.STEEP._replace(lr=0.0)), reference.STEEP, "at a learning rate of 0")
    for lr in (0.002, 0.6):
        problem = reference.FLAT._replace(lr=lr)
        reference.assert_trained(take(problem), reference.train(problem, 1), "after one step at another rate")
