"""The three functions depend on their arguments alone, and leave nothing behind.

`step` and `train_fori` are traced afresh while globals hold other values, or none. `train_python_loop` is plain Python,
so it is called: it may print, and need not be traceable.
"""

from __future__ import annotations

import pytest

from autograder.faults import RaisedFault
from autograder.suite import i32

PARAMETERS = ("w", "b", "x", "y", "lr", "num_steps")


def assert_pure(found):
    """Asserts that a function depends on its arguments alone and leaves nothing behind."""
    found.assert_depends_on_arguments()
    found.assert_leaves_nothing()


@pytest.mark.hint(
    "What it uses comes in by its arguments, what it has to tell goes out by its `return`. `jax.debug.print` may "
    "print; `print` runs only while JAX traces."
)
def test_step(student, reference):
    """`step` depends on its arguments alone, and changes nothing outside of itself."""
    assert_pure(student.step.purity(*reference.FLAT.avals, parameters=PARAMETERS))


@pytest.mark.hint(
    "What it uses comes in by its arguments, what it has to tell goes out by its `return`: no `global`, and no list or "
    "array outside of it."
)
def test_train_python_loop(student, reference):
    """`train_python_loop` depends on its arguments alone, and changes nothing outside of itself."""
    assert_pure(student.train_python_loop.purity(*reference.SEEN.arguments, 3, parameters=PARAMETERS))


@pytest.mark.hint(
    "Data, start values, `lr` and `num_steps` come in by its arguments; the body of its loop uses nothing else, prints "
    "by `jax.debug.print` at most, and changes no list or array."
)
def test_train_fori(student, reference):
    """`train_fori` depends on its arguments alone, and changes nothing outside of itself."""
    problem = reference.FLAT
    try:
        found = student.train_fori.purity(*problem.avals, i32, parameters=PARAMETERS)
    except RaisedFault:  # a static `num_steps` is no impurity, so it is built in if it cannot be traced
        found = student.train_fori.purity(*problem.avals[:4], problem.lr, 3, parameters=PARAMETERS)
    assert_pure(found)
