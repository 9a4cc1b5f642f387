"""A fault says whose it is, what happened and what to do about it.

Every error that can end a check is one of the classes below. The class decides the outcome: a `StudentFault` is a
failed test; every other fault makes the test *not gradable*, which costs the student nothing until a person has looked.
"""

from __future__ import annotations

from typing import ClassVar


class Fault(Exception):
    """What went wrong, in words for the one who can mend it.

    Args:
        message: One or two sentences a person reads: what was expected, what came. For a `StudentFault` it is shown to
            the student, so it never holds a hidden input or an expected value.
        remedy: What to try, or an empty string.
        detail: More for the staff alone (a traceback, raw values); never shown to a student.
    """

    whose: ClassVar[str] = "this program"

    def __init__(self, message: str, *, remedy: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.detail = detail


class StudentFault(Fault, AssertionError):
    """The student's work did not do what the check asks: a wrong answer, an exception, a hang, a refused export."""

    whose = "the student's work"


class LimitFault(StudentFault):
    """The student's code hit a limit, or its process ended; `cause` says which.

    Args:
        message: As in `Fault`.
        cause: `wall`, `cpu`, `memory`, `output`, `crash` or `exit`.
        remedy: As in `Fault`.
        detail: As in `Fault`.
    """

    def __init__(self, message: str, *, cause: str, remedy: str = "", detail: str = "") -> None:
        super().__init__(message, remedy=remedy, detail=detail)
        self.cause = cause


class RaisedFault(StudentFault):
    """The student's code raised an exception, or cannot be traced; made by `autograder.wire.raised`.

    Args:
        message: As in `Fault`.
        reason: A key of `autograder.wire.REASONS`: `raised`, `unanswered`, `undefined`, ...
        type: Name of the exception's class: `TracerBoolConversionError`; `NotImplementedError` only if unanswered.
        cell: The cell in which it was raised, `In[3]` as its kernel counts or `cell 3` of the notebook; may be empty.
        line: Line in that cell, from 1; 0 when it is not known.
        remedy: As in `Fault`.
        detail: As in `Fault`; here the exception's own text, which the student's code may have made of hidden inputs.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: str = "raised",
        type: str = "",
        cell: str = "",
        line: int = 0,
        remedy: str = "",
        detail: str = "",
    ) -> None:
        super().__init__(message, remedy=remedy, detail=detail)
        self.reason = reason
        self.type = type
        self.cell = cell
        self.line = line


class TamperFault(Fault):
    """The evidence was tampered with, so that no mark can be given before a person has looked."""

    whose = "the student's work"


class CourseFault(Fault):
    """The course author's notebook, suite or reference is at fault."""

    whose = "the course"


class HostFault(Fault):
    """The machine lacks something or failed: no bubblewrap, no memory, no disk. Never stored as a final result."""

    whose = "the host"
