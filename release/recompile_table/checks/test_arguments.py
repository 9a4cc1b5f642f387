"""Public checks of the experiments E1 to E6: the calls are made, counted and compared, as `explain_recompile` does."""

from __future__ import annotations

import jax
import pytest

from autograder import explain_recompile
from autograder.suite import fail


def scale(x, factor=2.0):
    """Multiplies x by a factor."""
    return x * factor


def reduce(x, how="sum"):
    """Adds the elements of x up, or multiplies them."""
    return x.sum() if how == "sum" else x.prod()


def total(tree):
    """Adds up all elements of all arrays in a tree."""
    return sum(leaf.sum() for leaf in jax.tree.leaves(tree))


@pytest.mark.parametrize(
    ("name", "function", "compiled", "causes"),
    [
        pytest.param("e1", scale, (True, True), ("shape",), id="e1"),
        pytest.param("e2", scale, (True, True), ("dtype",), id="e2"),
        pytest.param("e2_truncated", scale, (True, False), ("same signature",), id="e2_truncated"),
        pytest.param("e3", scale, (True, True), ("weak type",), id="e3"),
        pytest.param("e4", reduce, (True, True, False), ("static value",), id="e4"),
        pytest.param("e5_keys", total, (True, True), ("tree structure",), id="e5_keys"),
        pytest.param("e5_kinds", total, (True, True), ("tree structure",), id="e5_kinds"),
        pytest.param("e6", scale, (True, True, True), ("argument form",), id="e6"),
    ],
)
@pytest.mark.hint("Look at the table that `explain_recompile` shows for it.")
def test_experiment(student, name, function, compiled, causes):
    """The experiment {id} compiles as it should, and for the right reason."""
    calls = student.calls(name)
    if len(calls) != len(compiled):
        fail(f"`{name}` has {len(calls)} calls; {len(compiled)} are needed.")
    static = {"static_argnames": "how"} if name == "e4" else {}
    jax.clear_caches()
    found = explain_recompile(jax.jit(function, **static), *calls)
    if found.compiled != compiled:
        fail(f"`{name}` does not compile as it should.\n{found}")
    if found[1].causes != causes:
        fail(f"Call 2 of `{name}` should be told from call 1 by {causes[0]}.\n{found}")
