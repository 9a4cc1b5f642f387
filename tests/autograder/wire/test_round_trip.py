"""What can cross comes back as it was; what cannot crosses as an opaque stand-in."""

import dataclasses
import json
import math
from collections import OrderedDict
from types import SimpleNamespace
from typing import NamedTuple

import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.wire import CAPS, DTYPES, Aval, Caps, Opaque, as_numpy, decode, encode

PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
SMALL = st.integers(1 - 2**53, 2**53 - 1)
KEYS = st.none() | st.booleans() | SMALL | st.floats(allow_nan=False) | st.text() | st.binary()
ARRAYS = st.sampled_from([name for name in DTYPES if "float8" not in name and name != "bfloat16"]).flatmap(
    lambda name: arrays.arrays(name, arrays.array_shapes(min_dims=0, min_side=0, max_dims=3, max_side=4))
)
VALUES = st.recursive(
    PLAIN | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=12,
)


def crossed(value, **options):
    """Returns a value after its way through JSON and buffers."""
    tree, buffers = encode(value, **options)
    text = json.dumps(tree, allow_nan=False)
    return decode(json.loads(text), buffers)


def is_same(one, other):
    """Tells whether two values have the same types, structure and bits."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict):
        return is_same(list(one.items()), list(other.items()))
    if isinstance(one, np.ndarray):
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    if isinstance(one, complex):
        return is_same([one.real, one.imag], [other.real, other.imag])
    if isinstance(one, float):
        return math.isnan(one) == math.isnan(other) and (one == other or math.isnan(one)) and _sign(one) == _sign(other)
    return bool(one == other)


def _sign(value):
    return 0.0 if math.isnan(value) else math.copysign(1.0, value)


@given(VALUES)
def test_values_come_back_as_they_were(value):
    """Any nest of plain values and arrays comes back with the same types, structure and bits."""
    if type(value) is str:
        value = value.encode("utf-8", "replace").decode()
    assert is_same(crossed(value), value)


@pytest.mark.parametrize("name", sorted(DTYPES))
def test_every_dtype_crosses(name):
    """An array of every listed dtype comes back with its dtype and bits."""
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(DTYPES[name])
    assert is_same(crossed(array), array)


def test_order_and_bytes_do_not_matter():
    """A transposed, strided or big-endian array crosses as what it holds."""
    for array in (np.arange(6).reshape(2, 3).T, np.arange(9)[::2], np.arange(3, dtype=">i4")):
        assert np.array_equal(crossed(array), array)
        assert crossed(array).dtype == array.dtype.newbyteorder("=")


def test_numpy_scalar_stays_one():
    """A NumPy scalar comes back as a scalar, and an array without dimensions as an array."""
    assert is_same(crossed(np.float32(2.5)), np.float32(2.5))
    assert is_same(crossed(np.array(True)), np.array(True))


def test_arguments_arrive_as_jax_arrays_unless_marked():
    """With `numpy_as="jax"` NumPy values are written as JAX arrays, but for those that `as_numpy` marks."""
    tree, _ = encode((np.float32(1), np.ones(2), as_numpy(np.ones(2)), as_numpy(np.float32(1)), 1.5), numpy_as="jax")
    assert [item["kind"] for item in tree["items"][:4]] == ["jax", "jax", "numpy", "scalar"]
    assert tree["items"][4] == 1.5


def test_two_trees_share_one_list_of_buffers():
    """Trees written into the same list refer to different buffers of it."""
    first, buffers = encode(np.arange(2))
    second, same = encode(np.arange(3), into=buffers)
    assert same is buffers
    assert decode(first, buffers).tolist() == [0, 1]
    assert decode(second, buffers).tolist() == [0, 1, 2]


class Pair(NamedTuple):
    """A named tuple."""

    left: object
    right: object


@dataclasses.dataclass
class Box:
    """A dataclass that no library knows."""

    left: object
    right: object


class Attrs:
    """A class as the library attrs makes it."""

    __attrs_attrs__ = (SimpleNamespace(name="left"), SimpleNamespace(name="right"))

    def __init__(self, left, right):
        self.left, self.right = left, right


@pytest.mark.parametrize("kind", [Pair, Box, Attrs])
def test_records_arrive_as_tuples_and_keep_their_names(kind):
    """A named tuple, dataclass or attrs object is read as a tuple of its fields; the tree keeps the names."""
    value = kind(1, [np.float32(2)])
    tree, buffers = encode(value)
    assert (tree["name"], tree["fields"]) == (kind.__name__, ["left", "right"])
    assert is_same(decode(tree, buffers), (1, [np.float32(2)]))


def test_abstract_values_cross():
    """An aval comes back as an equal aval."""
    assert crossed(Aval("bfloat16", (3, 0))) == Aval("bfloat16", (3, 0))


def test_arrays_of_text_and_objects_cross_as_lists():
    """What NumPy holds as strings or objects is read as the list that it stands for."""
    assert crossed(np.array(["shape", "dtype"])) == ["shape", "dtype"]
    assert crossed(np.array([True, None], dtype=object)) == [True, None]
    assert crossed(np.str_("shape")) == "shape"


class Loud:
    """Raises from everything that may be called while it is written."""

    def __repr__(self):
        raise RuntimeError("no")

    def __getattr__(self, name):
        raise RuntimeError("no")


class Vast:
    """Has a `repr` without end in sight."""

    def __repr__(self):
        return "x" * 10_000


class Sly(list):
    """A list that lies about its members."""

    def __iter__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Loud(), "<no text: RuntimeError>"),
        (Vast(), "x" * CAPS.repr + "..."),
        (Sly([1]), "[1]"),
        ({1, 2}, "{1, 2}"),
        (OrderedDict(a=1), "OrderedDict"),
        ({(1, 2): 3}, "{(1, 2): 3}"),
        ({"\ud800": 3}, "could not be read: UnicodeEncodeError"),
        ("\ud800", "could not be read: UnicodeEncodeError"),
        (type("Odd", (), {"__repr__": lambda self: "\ud800"})(), "\\ud800"),
    ],
    ids=["raises", "long", "subclass", "set", "mapping", "key", "surrogate-key", "surrogate", "surrogate-repr"],
)
def test_what_cannot_cross_is_told(value, text):
    """A value of any other class becomes its class's name and the beginning of its `repr`."""
    found = crossed([value])[0]
    assert isinstance(found, Opaque)
    assert found.repr.startswith(text)
    assert found.repr.encode()
    assert found.type.encode()


def test_writing_stays_within_the_caps():
    """Beyond a cap a stand-in is written, so that the reader with the same caps takes all that is written."""
    caps = Caps(depth=4, nodes=20, text=300, buffer=16, total=32)
    endless = []
    endless.append(endless)
    too_much = [
        endless,
        list(range(100)),
        [list(range(5))] * 5,
        dict.fromkeys(range(20), 0),
        "x" * 301,
        {"x" * 301: 1},
        np.zeros(17, "uint8"),
        [np.zeros(16, "uint8")] * 3,
        b"x" * 17,
        10**400,
    ]
    for value in too_much:
        tree, buffers = encode(value, caps=caps)
        assert "opaque" in json.dumps(tree)
        decode(tree, buffers, caps=caps)


def test_exactly_as_much_as_the_caps_crosses():
    """A value that reaches a cap and does not pass it crosses whole."""
    caps = Caps(depth=2, nodes=5, text=300, buffer=16, total=32)
    value = ["x" * 300, 2**899, np.zeros(16, "uint8"), b"x" * 16]
    tree, buffers = encode(value, caps=caps)
    assert is_same(decode(tree, buffers, caps=caps), value)
