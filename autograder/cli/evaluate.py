"""`autograder evaluate`: one notebook file in, one report out, and nothing recorded."""

from __future__ import annotations

from pathlib import Path

import typer

from autograder.cli.app import Settings
from autograder.cli.chosen import chosen
from autograder.cli.ending import Exit, ending, stderr, stdout
from autograder.course.decode import MAX_BYTES
from autograder.course.files import read_bounded
from autograder.course.layout import Course, Submission
from autograder.report import visible


def run(settings: Settings, assignment: str, *, notebook: Path, details: bool, json: bool) -> Exit:
    """Grades the notebook and prints the report.

    Args:
        settings: The course, and whether to use the sandbox.
        assignment: Name of the assignment.
        notebook: The file; nothing else in its folder is read, which may be anybody's.
        details: Print hidden inputs and expected values of failed tests too.
        json: Print the evaluation as JSON.
    """
    try:
        raw = read_bounded(notebook.resolve(), MAX_BYTES)
    except OSError as error:
        raise typer.BadParameter(f"It cannot be read: {visible(str(error))}.", param_hint="notebook") from None
    course = Course(settings.course)
    (name,) = chosen(course, assignment)
    task = course.assignment(name)
    submission = Submission(student="", raw=raw, filename=notebook.name)
    from autograder.evaluate import evaluate
    from autograder.report import plain, render, staff_details
    from autograder.serial import to_json

    with stderr().status(f"Grading {notebook.name} ..."):
        evaluation, beside = evaluate(submission, task, sandbox=settings.sandbox)
    if json:
        print(to_json(evaluation), end="")
    elif (console := stdout()).is_terminal:
        console.print(render(evaluation))
    else:
        print(plain(evaluation))
    if details:
        stdout().print(staff_details(beside.tests), soft_wrap=True)
    return ending(evaluation)
