"""An expected error passes; anything else is told."""

import pytest

from autograder.tools import expect_error


def test_expected_error_is_swallowed_and_kept():
    """The block ends without an exception, and the error can be looked at."""
    with expect_error(ValueError) as expected:
        raise ValueError("no such shape")
    assert str(expected) == "ValueError: no such shape"


def test_subclass_and_one_of_several_will_do():
    """A subclass of one of the classes is expected too."""
    with expect_error((KeyError, ArithmeticError)) as expected:
        raise ZeroDivisionError
    assert type(expected.error) is ZeroDivisionError


def test_nothing_raised_is_a_failure():
    """A block that ends quietly fails and says so."""
    with (
        pytest.raises(AssertionError, match=r"^Expected KeyError or ValueError, but nothing was raised\.$"),
        expect_error((KeyError, ValueError)) as expected,
    ):
        pass
    assert str(expected) == "nothing was raised"


def test_another_error_is_named():
    """An exception of another class fails, and the message says which came, with its text."""
    with (
        pytest.raises(
            AssertionError, match=r"^Expected KeyError, but ValueError came instead: no such shape$"
        ) as failure,
        expect_error(KeyError),
    ):
        raise ValueError("no such shape")
    assert isinstance(failure.value.__cause__, ValueError)


def test_text_has_to_match():
    """The right class with another text fails, and the message has both texts."""
    with (
        pytest.raises(AssertionError, match="with the text 'dtype', but its text was: no such shape"),
        expect_error(ValueError, match="dtype"),
    ):
        raise ValueError("no such shape")


def test_interrupt_passes_through():
    """An interrupt is nobody's expected error."""
    with pytest.raises(KeyboardInterrupt), expect_error(ValueError):
        raise KeyboardInterrupt
