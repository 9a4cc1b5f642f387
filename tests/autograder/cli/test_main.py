"""What a person reads and a script gets when a command ends."""

import subprocess
import sys
from pathlib import Path

import pytest

from autograder import __version__
from autograder.cli import app, main
from autograder.cli.ending import Exit, explanation
from autograder.course.layout import Course
from autograder.faults import CourseFault, Fault, HostFault


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the version and ends well."""
    assert main(["--version"]) == Exit.DONE
    assert capsys.readouterr().out == f"autograder {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["evaluate"],
        ["--course", "/nowhere", "doctor"],
        ["evaluate", "a", "/nowhere.ipynb"],
        ["evaluate", "a", "/dev/null"],
        ["grade", "--workers", "0"],
        ["evaluate", "a", __file__, "--json", "--details"],
    ],
)
def test_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command line that is wrong ends with its own code, words about it and no traceback."""
    assert main(arguments) == Exit.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Error" in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CourseFault("There is no suite.", remedy="Write one."), Exit.COURSE),
        (HostFault("bubblewrap is missing.", remedy="Install it."), Exit.HOST),
        (Fault("It cannot be.", remedy="Report it."), Exit.BUG),
    ],
)
def test_a_fault_is_said_in_words(
    error: Fault, code: Exit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault is printed with whose it is, what happened and what to do; never as a traceback."""

    def fail(settings: object, *, json: bool) -> Exit:
        raise error

    monkeypatch.setattr("autograder.cli.doctor.run", fail, raising=False)
    assert main(["doctor"]) == code
    printed = capsys.readouterr().err
    assert printed == f"Fault of {error.whose}: {error.message}\nTo mend it: {error.remedy}\n"


def test_a_fault_of_the_host_names_the_doctor() -> None:
    """A fault of the host without a remedy of its own points to the command that looks for one."""
    assert "`autograder doctor`" in str(explanation("the host", "The kernel did not start."))
    assert "To mend it" not in str(explanation("the course", "It is empty."))


def test_a_bug_shows_where(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An error that nobody foresaw is this program's fault, and the traceback is there to be reported."""

    def fail(settings: object, *, json: bool) -> Exit:
        raise ZeroDivisionError

    monkeypatch.setattr("autograder.cli.doctor.run", fail, raising=False)
    assert main(["doctor"]) == Exit.BUG
    printed = capsys.readouterr().err
    assert "ZeroDivisionError" in printed
    assert "Fault of this program" in printed


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends a command with the code that shells expect."""

    def interrupted(settings: object, *, json: bool) -> Exit:
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.cli.doctor.run", interrupted, raising=False)
    assert main(["doctor"]) == Exit.INTERRUPTED


@pytest.mark.parametrize(
    "command",
    [["grade"], ["regrade", "nothing"], ["feedback"], ["release"], ["grade", "nothing"], ["evaluate", "x", __file__]],
)
def test_no_course_here(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder that is no course, a command says so, names the option for the folder, and ends as wrong use."""
    assert main(["--course", str(tmp_path), *command]) == Exit.USAGE
    said = capsys.readouterr().err
    assert "There is no assignment" in said
    assert "autograder --course DIR" in said


@pytest.mark.parametrize(
    "command",
    [["grade", "squaring"], ["regrade", "squaring"], ["feedback", "squaring"], ["release", "squaring"]],
)
def test_a_mistyped_assignment(command: list[str], course: Course, capsys: pytest.CaptureFixture[str]) -> None:
    """An assignment that does not exist is wrong use, and those that exist are named."""
    assert main(["--course", str(course.root), *command]) == Exit.USAGE
    said = " ".join(capsys.readouterr().err.split())
    assert "Fault of the command line: There is no assignment 'squaring'" in said
    assert "Known assignments: doubling." in said


def test_the_module_is_the_command() -> None:
    """`python -m autograder` is the command `autograder`."""
    done = subprocess.run([sys.executable, "-m", "autograder", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"autograder {__version__}\n"


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` works for the program and for each command."""
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.callback.__name__
        assert main([name, "--help"]) == Exit.DONE
        assert f"autograder {name}" in capsys.readouterr().out


def test_the_worst_ending_wins() -> None:
    """When several things end differently, the exit code is the one that must be mended first."""
    assert Exit.worst([]) == Exit.DONE
    assert Exit.worst([Exit.DONE, Exit.PERSON]) == Exit.PERSON
    assert Exit.worst([Exit.HOST, Exit.PERSON, Exit.COURSE]) == Exit.HOST
    assert Exit.worst([Exit.BUG, Exit.HOST]) == Exit.BUG
