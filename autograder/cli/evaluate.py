"""`autograder evaluate`: one notebook file in, one report out, and nothing recorded."""

from __future__ import annotations

from pathlib import Path

from autograder.cli.app import Settings
from autograder.cli.ending import Exit, stderr, stdout
from autograder.course.layout import Course, Submission
from autograder.records import Evaluation, Outcome, Status


def run(settings: Settings, assignment: str, *, notebook: Path, json: bool) -> Exit:
    """Grades the notebook and prints the report.

    Args:
        settings: The course, and whether to use the sandbox.
        assignment: Name of the assignment.
        notebook: The file; nothing else in its folder is read.
        json: Print the evaluation as JSON.
    """
    task = Course(settings.course).assignment(assignment)
    submission = Submission(student="", raw=notebook.read_bytes(), filename=notebook.name)
    from autograder.evaluate import evaluate
    from autograder.report import render
    from autograder.serial import to_json

    with stderr().status(f"Grading {notebook.name} ..."):
        evaluation, _ = evaluate(submission, task, sandbox=settings.sandbox)
    if json:
        print(to_json(evaluation).rstrip())
    else:
        stdout().print(render(evaluation))
    return ending(evaluation)


def ending(evaluation: Evaluation) -> Exit:
    """Returns the exit code for an evaluation: whether something in it waits for a person, the course or the host."""
    faults = [test.whose for check in evaluation.checks for test in check.tests if test.outcome is Outcome.NOT_GRADABLE]
    waiting = evaluation.status is Status.NOT_GRADABLE or evaluation.pending
    return Exit.worst([Exit.PERSON if waiting else Exit.DONE, *map(Exit.of, faults)])
