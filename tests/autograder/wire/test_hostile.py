"""A tree from a box is read as hostile input: a known form within the caps, or a `TamperFault`."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.faults import Fault, RaisedFault, StudentFault, TamperFault
from autograder.wire import REASONS, Caps, check_fault, decode, encode, fault_form, raised

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FORMS = ["int", "float", "complex", "bytes", "tuple", "named", "dict", "aval", "opaque", "array"]
KEYS = ["v", "items", "buffer", "name", "fields", "dtype", "shape", "weak", "kind", "type", "repr"]
FITTING = (
    st.sampled_from(["float32", "bool", "bfloat16", "jax", "numpy", "scalar", "nan", "0x1"])
    | st.integers(-1, 3)
    | st.lists(st.integers(-1, 3) | st.text(max_size=2), max_size=3)
    | st.booleans()
)
NEARLY = st.recursive(
    JSON | FITTING,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(
            lambda form, rest: {"t": form, **rest},
            st.sampled_from(FORMS),
            st.dictionaries(st.sampled_from(KEYS), FITTING | inner, max_size=5),
        )
    ),
    max_leaves=10,
)
ARRAY = {"t": "array", "dtype": "float32", "shape": [2], "weak": False, "kind": "numpy", "buffer": 0}


@given(JSON | NEARLY, st.lists(st.binary(max_size=16), max_size=3))
def test_any_json_is_read_or_refused(tree, buffers):
    """No JSON value and no buffers make the reader raise anything but a `TamperFault`."""
    with contextlib.suppress(TamperFault):
        decode(tree, buffers)


@given(st.dictionaries(st.sampled_from(["whose", "reason", "type", "cell", "line", "detail"]), JSON, max_size=6) | JSON)
def test_any_fault_is_read_or_refused(form):
    """No JSON value in place of a fault makes its reader raise anything but a fault."""
    with pytest.raises(Fault):
        check_fault({"fault": form})


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        (ARRAY | {"dtype": "object"}, "dtype"),
        (ARRAY | {"dtype": "<U4"}, "dtype"),
        (ARRAY | {"dtype": ["float32"]}, "dtype"),
        (ARRAY | {"shape": [3]}, "another size"),
        (ARRAY | {"shape": [-2]}, "shape"),
        (ARRAY | {"shape": [True, 2]}, "shape"),
        (ARRAY | {"shape": [1] * 33}, "shape"),
        (ARRAY | {"shape": [2**41, 0]}, "shape"),
        (ARRAY | {"shape": [2**39, 2**39, 0], "buffer": 1}, "impossible shape"),
        (ARRAY | {"kind": "scalar"}, "scalar with a shape"),
        (ARRAY | {"kind": "pickle"}, "kind"),
        (ARRAY | {"weak": 1}, "kind"),
        (ARRAY | {"buffer": 2}, "buffer"),
        (ARRAY | {"buffer": -1}, "buffer"),
        (ARRAY | {"buffer": True}, "buffer"),
        (ARRAY | {"more": 1}, "keys"),
        ({key: ARRAY[key] for key in list(ARRAY)[:-1]}, "keys"),
        ([ARRAY, ARRAY], "used twice"),
        (ARRAY | {"dtype": "bool", "shape": [8]}, "neither true nor false"),
        ({"t": "int", "v": "ten"}, "malformed integer"),
        ({"t": "int", "v": 10}, "no text"),
        ({"t": "float", "v": "0.5"}, "malformed float"),
        ({"t": "complex", "items": [1.0]}, "complex"),
        ({"t": "complex", "items": [1.0, "i"]}, "complex"),
        ({"t": "tuple", "items": {}}, "no list"),
        ({"t": "named", "name": "R", "fields": ["a"], "items": []}, "pair"),
        ({"t": "dict", "items": [[1]]}, "dictionary"),
        ({"t": "dict", "items": [[[], 1]]}, "plain value"),
        ({"t": "dict", "items": [["a", 1], ["a", 2]]}, "repeated key"),
        ({"t": "dict", "items": [[{"t": "int", "v": hex(2**61 - 1)}, 1]]}, "plain value"),
        ({"t": "opaque", "type": "T", "repr": None}, "no text"),
        ({"t": ["tuple"]}, "unknown form"),
        ({}, "unknown form"),
        (2**60, "large integer"),
        (float("nan"), "float"),
        (b"raw", "no JSON value"),
    ],
)
def test_refused(tree, why):
    """A form with anything wrong in it is refused, by a message that says what."""
    with pytest.raises(TamperFault, match=why):
        decode(tree, [b"\0\0\0\2\0\0\0\0", b""])


def test_depth_is_capped():
    """A tree nested beyond the cap is refused before Python's recursion ends."""
    tree = []
    for _ in range(100_000):
        tree = [tree]
    with pytest.raises(TamperFault, match="too many values"):
        decode(tree, [])


@pytest.mark.parametrize(
    ("tree", "buffers", "why"),
    [
        ([0] * 11, [], "too many values"),
        ("x" * 6, [], "too long"),
        ({"t": "int", "v": "1" * 6}, [], "too long"),
        ({"t": "bytes", "buffer": 0}, [b"x" * 9], "too many bytes"),
        ([{"t": "bytes", "buffer": 0}, {"t": "bytes", "buffer": 1}], [b"x" * 8, b"x" * 8], "too many bytes"),
    ],
)
def test_caps(tree, buffers, why):
    """Values, characters and bytes beyond the caps are refused."""
    with pytest.raises(TamperFault, match=why):
        decode(tree, buffers, caps=Caps(depth=5, nodes=10, text=5, buffer=8, total=12))


def test_arrays_that_were_read_cannot_be_written():
    """An array is a read-only view of its buffer, so no test changes what another one reads."""
    tree, buffers = encode(np.arange(3))
    with pytest.raises(ValueError, match="read-only"):
        decode(tree, buffers)[0] = 1


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_fault_of_the_student_is_raised_again(reason):
    """A reported fault comes back as a `RaisedFault` with the same facts, and a sentence that begins with the name."""
    fault = raised(reason, name="f", type="TypeError", cell="In[3]", line=4, detail="its text")
    with pytest.raises(RaisedFault, match=r"^`f` ") as found:
        check_fault(fault_form(fault), name="f")
    facts = ("message", "reason", "type", "cell", "line", "remedy", "detail")
    assert [getattr(found.value, fact) for fact in facts] == [getattr(fault, fact) for fact in facts]


def test_fault_of_the_program_is_nobody_elses():
    """A fault that an agent reports as its own costs the student nothing."""
    with pytest.raises(Fault, match="could not carry out") as found:
        check_fault(fault_form(TamperFault("a bad request")))
    assert not isinstance(found.value, StudentFault | TamperFault)
    assert found.value.detail == "a bad request"


def test_answer_without_a_fault_passes():
    """An answer that reports no fault raises none."""
    check_fault({"value": 1})


def test_sentence_holds_nothing_that_the_student_wrote():
    """Class names, cells and texts of the student's own are not in the message, whatever the box reports."""
    secret = "SECRET"
    form = {"whose": "student", "reason": "raised", "type": secret, "cell": f"In[{secret}]", "detail": secret}
    with pytest.raises(RaisedFault) as found:
        check_fault({"fault": form}, name="f")
    assert found.value.message == "`f` raised an exception."
    assert secret not in found.value.message + found.value.remedy + found.value.cell


def test_sentence_says_where_and_what_to_try():
    """The sentence names a known class, the place, the meaning; the remedy says what to try."""
    fault = raised("raised", name="f", type="TracerBoolConversionError", cell="In[3]", line=2)
    assert fault.message == (
        "`f` raised TracerBoolConversionError at line 2 of In[3]: Python asks whether a traced value is true "
        "(`if`, `while`, `and`, `or`, `not`)."
    )
    assert "`lax.cond`" in fault.remedy


@pytest.mark.parametrize(("reason", "kind"), [("unanswered", "NotImplementedError"), ("raised", "")])
def test_only_an_empty_answer_is_not_implemented(reason, kind):
    """`NotImplementedError` is the type of an empty answer alone, though JAX raises the same class."""
    assert raised(reason, type="NotImplementedError").type == kind
