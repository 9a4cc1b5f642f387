"""Assertions: what they accept, and sentences that name the property and no value."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.faults import CourseFault, StudentFault
from autograder.suite import as_numpy, assert_close, assert_equal, fail, not_gradable
from autograder.wire import Opaque


def message_of(actual: object, expected: object, **how: object) -> str:
    """Returns what the student reads of a comparison that fails."""
    with pytest.raises(StudentFault) as caught:
        assert_close(actual, expected, **how)  # type: ignore[arg-type]
    return caught.value.message


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (np.float32(1.000001), 1.0),
        (1.0, np.float64(1.0)),
        (np.ones((2, 0), np.float32), np.ones((2, 0))),
        (np.array([np.inf, np.nan], np.float32), np.array([np.inf, np.nan])),
        (np.int32(3), np.int64(3)),
        (np.bool_(True), True),
    ],
)
def test_close_values_pass(actual: object, expected: object) -> None:
    """What agrees in shape, kind and value within the tolerance passes, whatever its precision."""
    assert_close(actual, expected)


@pytest.mark.parametrize(
    ("actual", "expected", "sentence"),
    [
        (np.zeros(3), 123.25, "The root has shape (#,); () was expected."),
        (np.zeros((52345, 0)), 123.25, "The root has shape (#, #); () was expected."),
        (np.zeros((1, 2)), np.zeros(2), "The root has shape (1, 2); (2,) was expected."),
        (np.zeros((0, 0, 1)), 123.25, "The root has shape with many more axes; () was expected."),
        (np.int32(123), 123.25, "The root has dtype int32; a floating dtype was expected."),
        (np.float32(3), 3, "The root has dtype float32; an integer dtype was expected."),
        (np.float32("nan"), 123.25, "The root is NaN; a finite number was expected."),
        (
            np.array([1, np.inf]),
            np.array([1, 123.25]),
            "The root is infinite at element 1; a finite number was expected.",
        ),
        (np.float32(123.3), 123.25, "The root is off by a relative error of about 1e-03 (allowed: 1e-05)."),
        (np.float32(0), 123.25, "The root is off by a relative error of about 1e+00 (allowed: 1e-05)."),
        (np.float32(1), 0.0, "The root is off by more than is allowed where the right answer is 0."),
        (np.float32(1), np.inf, "The root is wrong: no finite number is right there."),
        (np.float32(1), np.nan, "The root is wrong: no finite number is right there."),
        (
            [[1.0, 2.0]],
            [[1.0, 123.25]],
            "The root is off at element (0, 1) by a relative error of about 1e+00 (allowed: 1e-05).",
        ),
        ("text", 123.25, "The root should be a number or an array of numbers, but is a string."),
    ],
)
def test_sentence_names_the_property(actual: object, expected: object, sentence: str) -> None:
    """The message says which property fails, the place, and the order of magnitude of the error at most."""
    assert message_of(actual, expected, what="the root") == sentence


@pytest.mark.parametrize("actual", [0.0, 1.0, -7.5, 123.0, 1e30, np.nan, [1.0], True])
def test_expected_value_is_never_shown(actual: object) -> None:
    """Whatever comes, no digit of the expected value is in the message."""
    assert "123.25" not in message_of(actual, 123.25)


def test_tolerance_may_differ_by_element() -> None:
    """An absolute tolerance may be an array, and each element is held against its own."""
    assert_close([1.0, 2.5], [1.0, 2.0], rtol=0, atol=np.array([0, 1]))
    assert "element 1" in message_of([1.0, 2.5], [1.0, 2.0], rtol=0, atol=np.array([1, 0.1]))


def test_worst_element_is_named() -> None:
    """The element named is the one that exceeds its tolerance most."""
    assert "element 2" in message_of([1.1, 1.0, 3.0], [1.0, 1.0, 1.0])


def test_equal_compares_exactly() -> None:
    """`assert_equal` takes no tolerance and names the first element that differs."""
    assert_equal([1, 2], [1, 2])
    with pytest.raises(StudentFault, match=r"^The count is wrong at element 1\.$"):
        assert_equal([1, 2], [1, 3], what="the count")


def test_value_that_could_not_cross_is_no_number() -> None:
    """What the kernel could not send is a wrong answer, not a fault of the grader."""
    with pytest.raises(StudentFault, match="numbers, but is something else"):
        as_numpy(Opaque("Model", "<Model>"))


def test_fail_carries_its_hint() -> None:
    """`fail` fails the test with the author's words and hint."""
    with pytest.raises(StudentFault, match="no loop") as caught:
        fail("There is no loop.", hint="Use `lax.while_loop`.")
    assert caught.value.remedy == "Use `lax.while_loop`."


def test_not_gradable_is_a_fault_of_the_course() -> None:
    """`not_gradable` costs the student nothing."""
    with pytest.raises(CourseFault, match="no truth"):
        not_gradable("There is no truth on this version.")
