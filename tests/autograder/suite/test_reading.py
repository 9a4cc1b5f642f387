"""Answers that are data: what is plainly meant is read, the rest is explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.faults import RaisedFault, StudentFault
from autograder.suite import as_bool, as_count, as_entries, as_word
from autograder.wire import Opaque, decode, encode

WORDS = ("first call", "weak type", "shape")
WHAT = "the entry for call 3"
ELLIPSIS = Opaque("ellipsis", "Ellipsis")


def message_of(read: Callable[[], Any]) -> str:
    """Returns what the student reads of an answer that cannot be read."""
    with pytest.raises(StudentFault) as caught:
        read()
    return caught.value.message


def crossed(value: Any) -> Any:
    """Returns a value as the grader gets it from the student's kernel."""
    return decode(*encode(value))


@pytest.mark.parametrize(
    "value",
    [
        [True, False, True],
        (1, 0, 1),
        [1.0, 0.0, 1.0],
        np.array([True, False, True]),
        np.array([1, 0, 1], np.uint8),
        np.array([1, 0, 1], ml_dtypes.bfloat16),
        np.array([True, 0, 1.0], object),
        jnp.array([True, False, True]),
        [np.True_, np.int8(0), np.float32(1)],
        [jnp.bool_(True), jnp.int32(0), np.array(1)],
    ],
)
def test_truth_values(value: Any) -> None:
    """Lists, tuples and arrays of bools, zeros and ones mean truth values, whoever made them."""
    entries = as_entries(crossed(value), 3, name="predictions")
    assert [as_bool(entry, what=WHAT) for entry in entries] == [True, False, True]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([True], "`predictions` has 1 entry; 3 were expected."),
        ([], "`predictions` has 0 entries; 3 were expected."),
        (np.zeros(4), "`predictions` has 4 entries; 3 were expected."),
        ("TFT", "`predictions` should be a list of 3 entries, but is a string."),
        (True, "`predictions` should be a list of 3 entries, but is a truth value."),
        ({1: True, 2: True, 3: True}, "`predictions` should be a list of 3 entries, but is a dictionary."),
        (np.zeros((1, 3)), "`predictions` should be a list of 3 entries, but is an array of shape (1, 3)."),
        (np.array(True), "`predictions` should be a list of 3 entries, but is an array of shape ()."),
        ({True, False}, "`predictions` should be a list of 3 entries, but is something else."),
        ([None, ELLIPSIS, None], "`predictions` is not answered yet."),
    ],
)
def test_no_list(value: Any, sentence: str) -> None:
    """What is no list of the right length is explained, and a list of placeholders is not answered yet."""
    assert message_of(lambda: as_entries(crossed(value), 3, name="predictions")) == sentence


def test_unanswered_is_told_apart() -> None:
    """A list of placeholders is reported for what it is; one that is begun is read."""
    with pytest.raises(RaisedFault) as caught:
        as_entries([None, None], 2, name="predictions")
    assert caught.value.reason == "unanswered"
    assert as_entries([None, True], 2, name="predictions") == (None, True)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (None, "The entry for call 3 is not filled in yet."),
        (..., "The entry for call 3 is not filled in yet."),
        (2, "The entry for call 3 is a number other than 0 and 1; `True` or `False` was expected."),
        (10**400, "The entry for call 3 is a number other than 0 and 1; `True` or `False` was expected."),
        (float("nan"), "The entry for call 3 is a number other than 0 and 1; `True` or `False` was expected."),
        (1j, "The entry for call 3 is a number; `True` or `False` was expected."),
        ("True", "The entry for call 3 is a string; `True` or `False` was expected, without quotes."),
        ("yes", "The entry for call 3 is a string; `True` or `False` was expected, without quotes."),
        ([True], "The entry for call 3 is a list of its own; `True` or `False` was expected."),
        ((True, False), "The entry for call 3 is a tuple of its own; `True` or `False` was expected."),
        (np.array([True]), "The entry for call 3 is an array of shape (1,); `True` or `False` was expected."),
        (object, "The entry for call 3 is something else; `True` or `False` was expected."),
    ],
)
def test_no_truth_value(entry: Any, sentence: str) -> None:
    """What is neither true nor false is explained."""
    assert message_of(lambda: as_bool(crossed(entry), what=WHAT)) == sentence


@pytest.mark.parametrize("entry", [3, 3.0, np.int8(3), np.float32(3), np.array(3), jnp.int32(3), jnp.uint8(3)])
def test_counts(entry: Any) -> None:
    """A whole number is a count, whoever made it."""
    assert as_count(crossed(entry), what=WHAT) == 3


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (None, "The entry for call 3 is not filled in yet."),
        (-1, "The entry for call 3 is no number of things; a count was expected."),
        (2.5, "The entry for call 3 is no number of things; a count was expected."),
        (float("nan"), "The entry for call 3 is no number of things; a count was expected."),
        (float("inf"), "The entry for call 3 is no number of things; a count was expected."),
        (True, "The entry for call 3 is a truth value; a count was expected."),
        (3j, "The entry for call 3 is a number; a count was expected."),
        ("3", "The entry for call 3 is a string; a count was expected."),
        ([3], "The entry for call 3 is a list of its own; a count was expected."),
    ],
)
def test_no_count(entry: Any, sentence: str) -> None:
    """What is no count is explained, and a huge one is read."""
    assert message_of(lambda: as_count(crossed(entry), what=WHAT)) == sentence
    assert as_count(10**400, what=WHAT) == 10**400


@pytest.mark.parametrize(
    "text", ["weak type", "Weak Type", "weak_type", "weak-type", "WEAKTYPE", " weak  type\n", "weak\u2013type"]
)
def test_words(text: str) -> None:
    """Capitals, spaces, hyphens and underscores do not count in a word."""
    assert as_word(text, WORDS, what=WHAT) == "weak type"
    assert as_word(crossed(np.array([text]))[0], WORDS, what=WHAT) == "weak type"


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (None, "The entry for call 3 is not filled in yet."),
        ("weak", 'The entry for call 3 is none of the words to choose from: "first call", "weak type", "shape".'),
        ("", 'The entry for call 3 is none of the words to choose from: "first call", "weak type", "shape".'),
        (
            "shape, weak type",
            'The entry for call 3 is none of the words to choose from: "first call", "weak type", "shape".',
        ),
        (
            ["shape", "weak type"],
            "The entry for call 3 is a list of its own; a string was expected, one of "
            '"first call", "weak type", "shape".',
        ),
        (
            True,
            'The entry for call 3 is a truth value; a string was expected, one of "first call", "weak type", "shape".',
        ),
    ],
)
def test_no_word(entry: Any, sentence: str) -> None:
    """What is no word of the list is explained by the list, and not repeated."""
    assert message_of(lambda: as_word(crossed(entry), WORDS, what=WHAT)) == sentence


@pytest.mark.parametrize(
    "read",
    [
        lambda: as_entries("TFT", 3, name="predictions"),
        lambda: as_entries([True], 3, name="predictions"),
        lambda: as_bool("yes", what=WHAT),
        lambda: as_word("weak", WORDS, what=WHAT),
        lambda: as_word(1, WORDS, what=WHAT),
    ],
)
def test_form_has_advice_of_its_own(read: Callable[[], Any]) -> None:
    """An answer of the wrong form comes with advice on the form, in the place of the test's hint on the question."""
    with pytest.raises(StudentFault) as caught:
        read()
    assert caught.value.remedy.startswith("Write ")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=12,
)


@given(ANYTHING)
def test_anything_is_read_or_explained(value: Any) -> None:
    """Whatever an answer holds, it is read or it is a fault of the student, never another exception."""
    try:
        entries = as_entries(crossed(value), 2, name="answers")
    except StudentFault:
        entries = (value,)
    for entry in entries:
        for read in (lambda one: as_bool(one, what=WHAT), lambda one: as_word(one, WORDS, what=WHAT)):
            try:
                assert read(entry) in (True, False, *WORDS)
            except StudentFault as fault:
                assert fault.message  # noqa: PT017  # either way is right; only another exception is not
