"""How a command ends: its exit code, and the words for an error."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from rich.console import Console
from rich.text import Text

from autograder.faults import CourseFault, Fault, HostFault, StudentFault
from autograder.records import Evaluation, Outcome, Status
from autograder.report import visible


class WrongUse(Fault):
    """What was typed names something that is not there."""

    whose = "the command line"


class Exit(IntEnum):
    """Exit codes; `docs/commands.md` explains each, and a test compares the two."""

    DONE = 0
    BUG = 1
    USAGE = 2
    PERSON = 3
    COURSE = 4
    HOST = 5
    INTERRUPTED = 130

    @classmethod
    def of(cls, whose: str) -> Exit:
        """Returns the code for a fault of a party, by the words of `Fault.whose`."""
        codes = {
            WrongUse.whose: cls.USAGE,
            CourseFault.whose: cls.COURSE,
            HostFault.whose: cls.HOST,
            StudentFault.whose: cls.PERSON,
        }
        return codes.get(whose, cls.BUG)

    @classmethod
    def worst(cls, codes: Iterable[Exit]) -> Exit:
        """Returns the code for a command in which several things ended differently: the one to be mended first."""
        order = (cls.DONE, cls.PERSON, cls.COURSE, cls.HOST, cls.BUG)
        return max(codes, key=order.index, default=cls.DONE)


def stdout() -> Console:
    """Returns a console for results."""
    return Console(highlight=False)


def stderr() -> Console:
    """Returns a console for progress and errors, which never mix with results."""
    return Console(stderr=True, highlight=False)


def explanation(whose: str, message: str, remedy: str = "") -> Text:
    """Returns an error in words: whose fault, what happened, what to do."""
    words = Text.assemble((f"Fault of {whose}: ", "bold red"), visible(message))
    if not remedy and whose == HostFault.whose:
        remedy = "`autograder doctor` tells what this machine lacks."
    if remedy:
        words.append(f"\nTo mend it: {visible(remedy)}")
    return words


def report_fault(fault: Fault) -> Exit:
    """Prints an error for a person and returns the exit code for it."""
    stderr().print(explanation(fault.whose, fault.message, fault.remedy), soft_wrap=True)
    return Exit.of(fault.whose)


def ending(evaluation: Evaluation) -> Exit:
    """Returns the exit code for an evaluation: whether something in it waits for a person, the course or the host."""
    faults = [test.whose for check in evaluation.checks for test in check.tests if test.outcome is Outcome.NOT_GRADABLE]
    waiting = evaluation.status is Status.NOT_GRADABLE or evaluation.pending
    return Exit.worst([Exit.PERSON if waiting else Exit.DONE, *map(Exit.of, faults)])
