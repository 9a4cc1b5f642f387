"""Assertions whose messages name the property that failed, and never a hidden input or an expected value."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from autograder.faults import CourseFault, StudentFault
from autograder.suite.avals import kind_of


def fail(message: str, *, hint: str = "") -> NoReturn:
    """Fails the test with a message for the student; keep hidden inputs and expected values out of it."""
    raise StudentFault(message, remedy=hint)


def not_gradable(message: str, *, remedy: str = "") -> NoReturn:
    """Ends the test without a mark, since the course cannot tell: a person decides."""
    raise CourseFault(message, remedy=remedy)


def as_numpy(value: Any, *, what: str = "the result") -> np.ndarray[Any, Any]:
    """Returns a number, an array or a nested list of numbers as an array.

    Raises:
        StudentFault: It is none of these.
    """
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        array = np.asarray(None)
    if kind_of(array.dtype) == "other":
        raise StudentFault(f"{sentence_case(what)} should be a number or an array of numbers, but is {_name(value)}.")
    return array


def assert_close(actual: Any, expected: Any, *, rtol: float = 1e-5, atol: Any = 0.0, what: str = "the result") -> None:
    """Asserts shape, kind of dtype, finiteness and closeness, in this order.

    Args:
        actual: What the student's program gave.
        expected: What the oracle gives; its shape and kind (floating, integer, bool) count, its precision does not.
        rtol: Error allowed relative to the expected value; state in the suite where it comes from.
        atol: Absolute error allowed on top; a number, or an array with one for every element.
        what: The property in words, as the message begins: `the root`.

    Raises:
        StudentFault: It is not close; the message holds the order of magnitude of the error at most.
    """
    got, want = as_numpy(actual, what=what), np.asarray(expected)
    _assert_form(got, want, what)
    if got.size == 0:
        return
    real = np.float64 if kind_of(want.dtype) != "complex" else np.complex128
    got, want = got.astype(real), want.astype(real)
    bad = ~np.isfinite(got) & np.isfinite(want)
    if bad.any():
        kind = "NaN" if np.isnan(got[bad]).any() else "infinite"
        raise StudentFault(f"{sentence_case(what)} is {kind}{_where(bad)}; a finite number was expected.")
    with np.errstate(all="ignore"):
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        if (strange := ~np.isfinite(want) & ~same).any():
            raise StudentFault(f"{sentence_case(what)} is wrong{_where(strange)}: no finite number is right there.")
        error = np.where(same, 0.0, np.abs(got - want))
        scale = np.abs(want)
        wrong = ~(same | (error <= atol + rtol * scale))
        if not wrong.any():
            return
        excess = np.where(wrong, error / (atol + rtol * scale), -1.0)
    worst = np.unravel_index(np.argmax(excess), excess.shape)
    raise StudentFault(f"{sentence_case(what)} is off{_where_index(worst)} {_size(error[worst], scale[worst], rtol)}.")


def assert_equal(actual: Any, expected: Any, *, what: str = "the result") -> None:
    """Asserts shape, kind of dtype and exact equality; the message holds no value."""
    got, want = as_numpy(actual, what=what), np.asarray(expected)
    _assert_form(got, want, what)
    wrong = got != want
    if np.any(wrong):
        raise StudentFault(f"{sentence_case(what)} is wrong{_where(wrong)}.")


def _name(value: Any) -> str:
    """Names what is no number; the name of a student's own class is not repeated."""
    names = {
        str: "a string",
        bytes: "bytes",
        dict: "a dictionary",
        list: "a list",
        tuple: "a tuple",
        type(None): "`None`",
    }
    return names.get(type(value), "something else")


def _assert_form(got: np.ndarray[Any, Any], want: np.ndarray[Any, Any], what: str) -> None:
    if got.shape != want.shape:
        told = _told(got.shape, want.shape)
        raise StudentFault(f"{sentence_case(what)} has shape {told}; {want.shape} was expected.")
    if kind_of(got.dtype) != kind_of(want.dtype):
        article = "an" if kind_of(want.dtype) == "integer" else "a"
        raise StudentFault(
            f"{sentence_case(what)} has dtype {got.dtype.name}; {article} {kind_of(want.dtype)} dtype was expected."
        )


def _told(shape: tuple[int, ...], expected: tuple[int, ...]) -> str:
    """Returns a shape in words without sizes that are not expected: a function could spell a hidden input by them."""
    if len(shape) > len(expected) + 2:
        return "with many more axes"
    sizes = [str(size) if size in (1, *expected) else "#" for size in shape]
    return f"({', '.join(sizes)}{',' * (len(sizes) == 1)})"


def _size(error: float, scale: float, rtol: float) -> str:
    """Says how large an error is, as a power of ten, and what was allowed."""
    if scale <= 0:
        return "by more than is allowed where the right answer is 0"
    allowed = f" (allowed: {rtol:.2g})" if rtol > 0 else ", more than is allowed"
    return f"by a relative error of about {_power(error / scale)}{allowed}"


def _power(x: float) -> str:
    return f"1e{round(math.log10(x)):+03d}" if 0 < x < math.inf else "infinity"


def _where(wrong: np.ndarray[Any, Any]) -> str:
    return _where_index(np.unravel_index(int(np.argmax(wrong)), wrong.shape))


def _where_index(index: tuple[Any, ...]) -> str:
    if not index:
        return ""
    return f" at element {int(index[0])}" if len(index) == 1 else f" at element {tuple(map(int, index))}"


def sentence_case(text: str) -> str:
    """Returns a text with a capital at its beginning, as a sentence has."""
    return text[:1].upper() + text[1:]
