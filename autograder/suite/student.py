"""The `student` fixture: the student's definitions by name, values, and compile counts in their kernel."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from autograder import wire
from autograder.faults import CourseFault, Fault, LimitFault, StudentFault
from autograder.link import Answer
from autograder.suite.asking import Asker, read
from autograder.suite.compiles import CompileCount, assert_canary, read_events
from autograder.suite.function import Function
from autograder.suite.program import Program

if TYPE_CHECKING:
    from autograder.tools.calls import Call

_PLACEHOLDERS = ("ellipsis", "NoneType")
"""Types of what a handout leaves in the place of an answer."""


class Student:
    """What the student defined: `student.newton_sqrt` is their function of that name.

    Args:
        asker: Both links and the deadline of the running test.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.function(name)

    def function(self, name: str) -> Function:
        """Returns the function of a name, also of one that this class has a method for.

        Raises:
            StudentFault: The notebook defines no such name, or it is not callable.
        """
        answer = self._asker.once("lookup", name=name).content
        kind = read(answer, "type", str)
        if not read(answer, "found", bool):
            raise wire.raised("undefined", name=name)
        if not read(answer, "callable", bool):
            raise wire.raised("unanswered" if kind in _PLACEHOLDERS else "uncallable", name=name)
        return Function(self._asker, name, is_jitted=read(answer, "jitted", bool))

    def value(self, name: str) -> Any:
        """Returns the value of a variable: NumPy arrays, Python numbers, strings, lists, tuples and dicts of them.

        Raises:
            StudentFault: The notebook defines no such name, it is not answered, or it holds something else.
        """
        reply = self._value(name)
        value = wire.decode(reply.content.get("value"), reply.buffers)
        if isinstance(value, wire.Opaque):
            raise StudentFault(f"`{name}` should hold numbers, strings, or lists of them.")
        return value

    def calls(self, name: str) -> tuple[Call, ...]:
        """Returns the calls that a variable lists, `e1 = [call(x), call(y)]`, to be made here of the course's function.

        No code of the student's runs in making them. Arrays have the types that JAX sees, and any numbers.

        Raises:
            StudentFault: The notebook defines no such name, it is not answered, or it holds something else.
        """
        from autograder.suite.calls import read_calls

        return read_calls(self._value(name), name)

    def _value(self, name: str) -> Answer:
        answer = self._asker.student("lookup", name=name).content
        if not read(answer, "found", bool):
            raise wire.raised("undefined", name=name)
        if read(answer, "type", str) in _PLACEHOLDERS:
            raise wire.raised("unanswered", name=name)
        return self._asker.student("value", name=name)

    @property
    def printed(self) -> str:
        """What the student's code printed during the last call; bounded."""
        return self._asker.printed

    @property
    def deleted(self) -> tuple[int, ...]:
        """Which arrays the last call deleted among its arguments: places of leaves, in order, keywords last by name."""
        return self._asker.deleted

    def clear_caches(self) -> None:
        """Clears the caches of JAX in the student's kernel, so that the next call of anything compiles."""
        self._asker.student("clear_caches")

    @contextmanager
    def count_compiles(self, *, evidence: Program | tuple[Program, ...], fresh: bool = False) -> Iterator[CompileCount]:
        """Counts all compiles in the student's kernel, whatever their name, while the block runs.

        A count is what the student's kernel says of itself. So it counts only beside evidence that the kernel cannot
        talk away: a program, exported with every argument abstract, that serves all values by itself.

        Args:
            evidence: The exported program of what the block calls, or several.
            fresh: Clear the caches first. Otherwise the window opens with the caches as they stand.

        Yields:
            A function that gives the number once the block has ended, and the causes as text.

        Raises:
            TamperFault: The kernel no longer sees compiles that it must see.
            CourseFault: There is no evidence.
        """
        programs = evidence if isinstance(evidence, tuple) else (evidence,)
        if not programs:
            raise CourseFault("A suite counts compiles without a program as evidence.")
        for program in programs:
            program.assert_all_traced()
        if fresh:
            self.clear_caches()
        window = read(self._asker.student("open_window").content, "window", int)
        count = CompileCount()
        try:
            yield count
        except BaseException as error:
            if not isinstance(error, LimitFault):
                self._abandon(window)
            raise
        answer = self._asker.student("close_window", window=window).content
        assert_canary(answer)
        count.end(read_events(answer))

    def _abandon(self, window: int) -> None:
        try:
            self._asker.student("close_window", window=window)
        except Fault:
            return
