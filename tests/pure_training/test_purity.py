"""The three functions depend on their arguments alone, and leave nothing behind.

`step` and `train_fori` are traced afresh while globals hold other values, or none. `train_python_loop` is plain Python,
so it is called: it may print, and need not be traceable.
"""

from __future__ import annotations

import pytest

from autograder.faults import RaisedFault
from autograder.suite import i32

PARAMETERS = ("w", "b", "x", "y", "lr", "num_steps")
FUNCTIONS = [pytest.param(name, id=name) for name in ("step", "train_python_loop", "train_fori")]


@pytest.fixture(scope="module")
def examine(student, reference):
    """Gives what is found about a function: `examine(name)`; asked once."""
    seen, hidden = reference.SEEN, reference.FLAT
    arguments = {
        "step": [hidden.avals],
        "train_python_loop": [(*seen.arguments, 3)],
        # a static `num_steps` is no impurity, so it is built in if it cannot be traced
        "train_fori": [(*hidden.avals, i32), (*hidden.avals[:4], hidden.lr, 3)],
    }
    found = {}

    def ask(name):
        if name not in found:
            *others, last = arguments[name]
            found[name] = first_that_runs(student.function(name), others, last)
        return found[name]

    return ask


def first_that_runs(function, others, last):
    """Returns what is found about a function for the first arguments for which it can be run."""
    for given in others:
        try:
            return function.purity(*given, parameters=PARAMETERS)
        except RaisedFault:
            continue
    return function.purity(*last, parameters=PARAMETERS)


@pytest.mark.hint("What a function uses comes in by its arguments: data, start values, `lr` and `num_steps`.")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_depends_on_its_arguments(examine, function):
    """The function depends on its arguments alone, and on no global data or settings."""
    examine(function).assert_depends_on_arguments()


@pytest.mark.hint(
    "What a function has to tell goes out by its `return`: no `global`, no list or array outside of it. Inside of a "
    "traced function `jax.debug.print` prints; `print` runs while tracing, once."
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_leaves_nothing_behind(examine, function):
    """The function changes nothing outside of itself."""
    examine(function).assert_leaves_nothing()
