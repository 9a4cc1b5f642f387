"""`autograder release`: the students' notebooks, without solutions."""

from __future__ import annotations

from rich.text import Text

from autograder.cli.app import Settings
from autograder.cli.chosen import chosen
from autograder.cli.ending import Exit, report_fault, stdout
from autograder.course.layout import Course
from autograder.faults import CourseFault
from autograder.gradebook.release import release
from autograder.report import counted, points, visible


def run(settings: Settings, assignment: str | None) -> Exit:
    """Releases assignments and says of each what it is worth and where it lies.

    Args:
        settings: The course.
        assignment: Name of one assignment; `None` for every one that has a source.
    """
    course = Course(settings.course)
    names = chosen(course, assignment)
    if assignment is None:
        names = tuple(name for name in names if (course.root / "source" / name / f"{name}.ipynb").is_file())
    if not names:
        raise CourseFault(f"There is no assignment in {course.root / 'source'}.")
    codes = []
    for name in names:
        try:
            stdout().print(_release(course, name), soft_wrap=True)
            codes.append(Exit.DONE)
        except CourseFault as fault:
            codes.append(report_fault(fault))
    return Exit.worst(codes)


def _release(course: Course, name: str) -> Text:
    notebook = course.root / "release" / name / f"{name}.ipynb"
    before = notebook.read_bytes() if notebook.is_file() else None
    released = release(course, name)
    done = "was released before and is current" if released.release.read_bytes() == before else "released"
    worth = f"{counted(len(released.checks), 'check')}, {points(released.max_points)} points"
    return Text(f"{visible(name)}: {done}: {worth}, {released.release.relative_to(course.root)}")
