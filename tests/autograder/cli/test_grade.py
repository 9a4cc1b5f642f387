"""`autograder grade` as a process: what a script gets, and how Ctrl-C ends it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.cli import main
from autograder.cli.ending import Exit
from autograder.course.golden import load_case, notebook_bytes
from autograder.course.layout import Course

ROOT = Path(__file__).parents[3]
CASES = {
    "quick": ROOT / "tests" / "newton_sqrt" / "submissions" / "broken_no_notebook",
    "endless": ROOT / "demo" / "submissions" / "newton_sqrt" / "endless_cell",
}


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course with newton_sqrt, for which two students handed in: one that is quick to grade, one that never ends."""
    for place in ("source", "release", "tests"):
        shutil.copytree(ROOT / place / "newton_sqrt", tmp_path / place / "newton_sqrt")
    limits = "[limits]\ncell_s = 600\nnotebook_s = 600\n"  # endless even for a machine that is busy with other work
    (tmp_path / "tests" / "newton_sqrt" / "assignment.toml").write_text(limits, encoding="utf-8")
    course = Course(tmp_path)
    release = course.assignment("newton_sqrt").release
    for student, case in CASES.items():
        folder = course.submitted("newton_sqrt", student)
        folder.mkdir(parents=True)
        (folder / "newton_sqrt.ipynb").write_bytes(notebook_bytes(load_case(case), release))
    return course


def _command(course: Course, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "autograder", "--course", str(course.root), "grade", "newton_sqrt", *arguments]


def _is_empty(group: int) -> bool:
    """Waits until no process of a group is left; those that were killed take a moment to go."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.box
def test_ctrl_c_leaves_what_is_done(course: Course) -> None:
    """Ctrl-C ends the command at once and leaves no process; what was recorded stays, and the next run knows it."""
    command = _command(course, "--json", "--workers", "2")
    with subprocess.Popen(
        ["env", "--default-signal=INT", *command],  # the background of a shell has it ignored
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as grading:
        assert grading.stdout is not None
        first = json.loads(grading.stdout.readline())
        os.killpg(grading.pid, signal.SIGINT)  # as a terminal does: to the command and to its workers
        rest, errors = grading.communicate()
    assert (first["student"], first["action"], rest) == ("quick", "graded", "")
    assert grading.returncode == Exit.INTERRUPTED
    assert errors == "Ended by Ctrl-C: 1 done, 1 left for the next run.\n"
    assert _is_empty(grading.pid)

    again = subprocess.run(
        _command(course, "--json", "--student", "quick"), capture_output=True, text=True, check=False
    )
    assert again.returncode == Exit.PERSON
    assert json.loads(again.stdout)["action"] == "skipped"
    assert again.stderr == ""


def test_an_unknown_student(course: Course) -> None:
    """A student who handed in nothing is a wrong argument."""
    done = subprocess.run(_command(course, "--student", "nobody"), capture_output=True, text=True, check=False)
    assert done.returncode == Exit.USAGE
    assert "Fault of the command line: nobody handed in nothing." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_misspelt_assignment(course: Course, capsys: pytest.CaptureFixture[str]) -> None:
    """What was handed in for no assignment is named, so that nobody's work is forgotten."""
    course.submitted("newton_sqrt", "quick").rename(course.submitted("newton_squirt", "quick"))
    shutil.rmtree(course.submitted("newton_sqrt", "endless"))
    assert main(["--course", str(course.root), "grade"]) == Exit.DONE
    said = capsys.readouterr().err
    assert "Left out: submitted/quick/newton_squirt; submissions lie in submitted/<student>/<assignment>/." in said
    assert "Known assignments: newton_sqrt." in said
