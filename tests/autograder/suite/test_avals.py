"""Abstract values: their dtype and shape, and the values that they make."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.faults import CourseFault
from autograder.suite import Aval, b1, bf16, f32, i32
from autograder.suite.avals import aval_of, fit, leaves


@pytest.mark.parametrize(
    ("aval", "shape"), [(f32, ()), (f32[()], ()), (f32[0], (0,)), (f32[3], (3,)), (f32[3, 4], (3, 4))]
)
def test_indexing_gives_a_shape(aval: Aval, shape: tuple[int, ...]) -> None:
    """Square brackets give an aval its shape."""
    assert aval == Aval("float32", shape)


def test_calling_makes_a_strong_scalar() -> None:
    """`f32(2)` is a float32 scalar of NumPy, not a Python number."""
    assert type(f32(2)) is np.float32
    assert f32(2) == 2


def test_calling_with_a_list_makes_an_array() -> None:
    """`i32([1, 2])` is an array of that dtype."""
    assert i32([1, 2]).dtype == np.int32
    assert i32([1, 2]).shape == (2,)


def test_calling_an_array_aval_fills_its_shape() -> None:
    """`f32[2, 3](1)` is full of ones."""
    assert np.array_equal(f32[2, 3](1), np.ones((2, 3), np.float32))


def test_calling_an_array_aval_with_another_shape_is_refused() -> None:
    """An array aval does not make a value of another shape."""
    with pytest.raises(ValueError, match="broadcast"):
        f32[2]([1, 2, 3])


@pytest.mark.parametrize(
    ("aval", "kind"),
    [(f32, "floating"), (bf16, "floating"), (i32, "integer"), (b1, "bool"), (Aval("complex64"), "complex")],
)
def test_kind(aval: Aval, kind: str) -> None:
    """The kind is what answers of different precision have in common."""
    assert aval.kind == kind


def test_aval_of_a_python_number_is_what_jax_makes_of_it() -> None:
    """A Python float is float32 and an int is int32, as with 64-bit types off."""
    assert [aval_of(x) for x in (1.0, 1, True)] == [f32, i32, b1]


def test_leaves_come_in_the_order_of_jax() -> None:
    """Dictionaries give their values by sorted keys; `None` has no leaf."""
    assert leaves(({"b": 1, "a": 2}, None, [3, (4,)])) == [2, 1, 3, 4]


def test_fit_takes_an_integer_for_a_float() -> None:
    """A Python integer serves where a float is asked for."""
    assert fit(2, f32).dtype == np.float32


@pytest.mark.parametrize(("value", "aval"), [(1.5, i32), (1, b1), ([1.0, 2.0], f32), ("2", f32), (1j, f32)])
def test_fit_refuses_what_would_lose_something(value: object, aval: Aval) -> None:
    """A suite that gives a value of another kind or shape is at fault, not the student."""
    with pytest.raises(CourseFault, match="exported it for"):
        fit(value, aval)
