"""An expected error is shown to happen; when it does not, the message says what came instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager


class Expected:
    """What a `with expect_error(...)` block caught.

    Attributes:
        error: The exception, once it has come; `None` before.
    """

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __str__(self) -> str:
        return "nothing was raised" if self.error is None else f"{type(self.error).__name__}: {self.error}"


@contextmanager
def expect_error(kind: type[Exception] | tuple[type[Exception], ...], match: str = "") -> Iterator[Expected]:
    """Asserts that the `with` block raises an exception, and swallows it.

    Args:
        kind: The class of the exception, or several; a subclass will do.
        match: A regular expression to be found in its text.

    Yields:
        An object whose `error` is the exception afterwards.

    Raises:
        AssertionError: Nothing came, or another exception, or another text.
    """
    names = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
    caught = Expected()
    try:
        yield caught
    except kind as error:
        caught.error = error
        if not re.search(match, str(error)):
            raise AssertionError(f"Expected {names} with the text {match!r}, but its text was: {error}") from error
    except Exception as error:
        raise AssertionError(f"Expected {names}, but {type(error).__name__} came instead: {error}") from error
    else:
        raise AssertionError(f"Expected {names}, but nothing was raised.")
