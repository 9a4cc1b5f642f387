"""A structure is read as hostile input: exactly its form, and nothing that contradicts itself."""

from __future__ import annotations

import contextlib
import copy
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.faults import TamperFault
from autograder.program.structure import Conditional, Loop, Structure, read_structure, structure_form
from autograder.wire import Aval

STRUCTURE = Structure(
    in_avals=(Aval("float32", (3, 4)), Aval("int32", ())),
    out_avals=(Aval("bool", ()),),
    operations={"stablehlo.add": 2, "stablehlo.case": 1, "stablehlo.while": 2},
    custom_calls=("lapack_spotrf_ffi",),
    size=5,
    conditionals=(Conditional(0, 4, (0, 1)),),
    loops=(Loop(1, 7, (), (0,)), Loop(2, None, (1,), (0, 1))),
)


def test_structure_survives_json():
    """What is written is what is read."""
    assert read_structure(json.loads(json.dumps(structure_form(STRUCTURE)))) == STRUCTURE


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("size",), 4),
        (("size",), 5.0),
        (("size",), True),
        (("size",), -1),
        (("operations",), [["stablehlo.add", 4]]),
        (("operations", "stablehlo.add"), 0),
        (("operations", ""), 0),
        (("custom_calls",), "lapack"),
        (("custom_calls", 0), "x" * 1000),
        (("in_avals", 0, "dtype"), "object"),
        (("in_avals", 0, "shape"), [-1]),
        (("in_avals", 0, "shape"), [0] * 100),
        (("in_avals", 0, "shape", 0), 2**70),
        (("conditionals", 0, "branches"), 0),
        (("conditionals", 0, "depends_on"), [2]),
        (("conditionals", 0, "depends_on"), [1, 0]),
        (("conditionals", 0, "depends_on"), [0, 0]),
        (("conditionals", 0, "inside"), [0]),
        (("conditionals", 0, "id"), 1),
        (("loops", 0, "inside"), [2]),
        (("loops", 0, "trip_count"), -7),
        (("loops", 0, "trip_count"), "7"),
        (("loops", 0, "more"), 1),
        (("loops",), []),
        (("more",), 1),
    ],
)
def test_what_deviates_is_tampering(path, value):
    """Any deviation from the form, or a contradiction between its parts, is a `TamperFault`."""
    form = copy.deepcopy(structure_form(STRUCTURE))
    place = form
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(TamperFault):
        read_structure(form)


@pytest.mark.parametrize("key", sorted(structure_form(STRUCTURE)))
def test_every_key_is_needed(key):
    """A form that lacks one key is a `TamperFault`."""
    form = structure_form(STRUCTURE)
    del form[key]
    with pytest.raises(TamperFault):
        read_structure(form)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(sorted(structure_form(STRUCTURE))), JSON) | JSON)
def test_any_json_is_tampering_at_worst(form):
    """Whatever JSON is sent, reading it gives a structure or a `TamperFault`."""
    with contextlib.suppress(TamperFault):
        assert isinstance(read_structure(form), Structure)


def test_the_grader_reads_structures_without_jax():
    """Importing the records imports no JAX, since the grader must not need it."""
    code = "import sys, autograder.program.structure; assert 'jax' not in sys.modules, 'jax was imported'"
    subprocess.run([sys.executable, "-c", code], check=True)
