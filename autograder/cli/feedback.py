"""`autograder feedback`: a page for each graded submission."""

from __future__ import annotations

from rich.text import Text

from autograder.cli.app import Settings
from autograder.cli.chosen import chosen
from autograder.cli.ending import Exit, stderr, stdout
from autograder.course.layout import Course
from autograder.gradebook.feedback import feedback
from autograder.report import counted, visible


def run(settings: Settings, assignment: str | None) -> Exit:
    """Writes the pages and says where they lie.

    Args:
        settings: The course.
        assignment: Name of one assignment; `None` for every one.
    """
    course = Course(settings.course)
    chosen(course, assignment)  # a name that does not exist is said at once
    with stderr().status("Writing feedback pages ..."):
        pages = feedback(course, assignment)
    folder = visible(str(course.root / "feedback"))
    written = counted(len(pages), "feedback page")
    stdout().print(Text(f"{written} in {folder}/<student>/<assignment>/."), soft_wrap=True)
    return Exit.DONE
