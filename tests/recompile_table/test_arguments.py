"""Each experiment shows its trigger, and nothing but its trigger.

The calls arrive as data and are made here, by the course's own functions: no code of the student's runs, and nothing is
counted in their kernel.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from jax.tree_util import DictKey, tree_flatten_with_path, tree_leaves, tree_structure

from autograder.suite import fail


@pytest.fixture(scope="module")
def experiment(student, reference):
    """Gives a function that reads an experiment of so many calls, and makes them."""

    def make(name, function, count):
        calls = student.calls(name)
        if len(calls) != count:
            fail(f"`{name}` has {len(calls)} call{'' if len(calls) == 1 else 's'}; {count} are needed.")
        return reference.told(function, calls, name=name)

    return make


def assert_shows(told, attribute):
    """Asserts that all calls compile, and that any two of them differ in this attribute alone."""
    for one, two in combinations(range(len(told.calls)), 2):
        found = told.differences(one, two)
        if not found:
            fail(f"Calls {one + 1} and {two + 1} are the same to JAX.")
        if attribute not in found:
            fail(f"Calls {one + 1} and {two + 1} differ in {_listing(found)}, and not in {attribute}.")
        if len(found) > 1:
            others = _listing(found - {attribute})
            fail(f"Calls {one + 1} and {two + 1} differ in {others} as well; {attribute} alone should be shown.")
    if not all(told.compiled):
        fail(f"Call {told.compiled.index(False) + 1} compiles nothing.")


def _listing(words):
    return " and ".join(sorted(words))


@pytest.mark.hint("`e1 = [call(...), call(...)]`: two arrays of one dtype, of different shapes.")
def test_e1_shape(experiment):
    """E1: two calls that differ in shape alone both compile."""
    assert_shows(experiment("e1", "scale", 2), "shape")


@pytest.mark.hint("Two arrays of one shape, of different dtypes. A Python number has a weak type besides.")
def test_e2_dtype(experiment):
    """E2: two calls that differ in dtype alone both compile."""
    assert_shows(experiment("e2", "scale", 2), "dtype")


@pytest.mark.hint(
    "`jnp.ones(3, jnp.float64)` has float32 as soon as it is made, so that there is nothing left to see. NumPy has "
    "arrays of float64: pass one of them, and one of float32."
)
def test_e2_truncated(experiment):
    """E2: an array of a 64-bit dtype shares the program of its 32-bit one, while x64 is off."""
    told = experiment("e2_truncated", "scale", 2)
    one, two = (tree_leaves((made.args, made.kwargs)) for made in told.calls)
    pairs = [(_bits(first), _bits(second)) for first, second in zip(one, two, strict=False)]
    if found := told.differences(0, 1):
        fail(f"The calls differ in {_listing(found)} for JAX, so that each has a program of its own.")
    if not any({first, second} == {32, 64} for first, second in pairs):
        fail("One call needs an array with 64 bits for each element, and the other the same with 32 bits.")
    if told.compiled != (True, False):
        fail("The second call should compile nothing.")


def _bits(leaf):
    """Returns the size of the elements of an array as it was passed, before JAX sees it; 0 of a Python number."""
    return np.dtype(leaf.dtype).itemsize * 8 if hasattr(leaf, "dtype") else 0


@pytest.mark.hint("A Python number has a weak type; a number of JAX or NumPy, such as `jnp.float32(1)`, has none.")
def test_e3_weak_type(experiment):
    """E3: two calls that differ in weak type alone both compile."""
    assert_shows(experiment("e3", "scale", 2), "weak type")


@pytest.mark.hint(
    "Two calls with different values of `how`, given in the same form, and a third with one of them again."
)
def test_e4_static_value(experiment):
    """E4: each static value compiles once: two values, and one of them again."""
    told = experiment("e4", "reduce", 3)
    if found := told.differences(0, 1) - {"static value"}:
        fail(f"Calls 1 and 2 differ in {_listing(found)} as well; static value alone should be shown.")
    if "static value" not in told.differences(0, 1):
        fail("Calls 1 and 2 have the same value of `how`.")
    if told.differences(0, 2) and told.differences(1, 2):
        fail("Call 3 should repeat call 1 or call 2.")
    if told.compiled != (True, True, False):
        fail("Calls 1 and 2 should compile, and call 3 should not.")


@pytest.mark.hint("Two dictionaries: the second has the keys of the first, and one more.")
def test_e5_keys(experiment):
    """E5: a dictionary with one key more compiles again."""
    told = experiment("e5_keys", "total", 2)
    assert_shows(told, "tree structure")
    one, two = ({path for path, _ in tree_flatten_with_path((made.args, dict(made.kwargs)))[0]} for made in told.calls)
    more = (one ^ two) if one < two or two < one else set()
    if not more or not all(any(isinstance(key, DictKey) for key in path[2:]) for path in more):
        fail("The calls differ in another way than by a key that one dictionary has more.")


@pytest.mark.hint("The same arrays twice: once in a tuple, and once in a list.")
def test_e5_kinds(experiment):
    """E5: a tuple and a list of the same arrays compile one each."""
    told = experiment("e5_kinds", "total", 2)
    assert_shows(told, "tree structure")
    leaves = {repr([argument.leaves for argument in seen.arguments.values()]) for seen in told.signatures}
    structures = {str(tree_structure(_listed([made.args, made.kwargs]))) for made in told.calls}
    if len(leaves | structures) > 2:
        fail("The calls differ in more than a tuple in place of a list.")


def _listed(tree):
    """Returns a tree with lists in place of its tuples."""
    if isinstance(tree, dict):
        return {key: _listed(value) for key, value in tree.items()}
    return [_listed(value) for value in tree] if isinstance(tree, list | tuple) else tree


@pytest.mark.hint(
    "Call `scale` without `factor`, with `factor` by position, and with `factor` by keyword; always the same x."
)
def test_e6_argument_form(experiment):
    """E6: an argument that is left out, given by position and given by keyword compiles three times."""
    told = experiment("e6", "scale", 3)
    assert_shows(told, "argument form")
    if len({seen.arguments["factor"].form for seen in told.signatures}) < 3:
        fail("`factor` should be left out once, given by position once, and given by keyword once.")
