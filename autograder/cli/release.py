"""`autograder release`: the students' notebooks, without solutions."""

from __future__ import annotations

from rich.text import Text

from autograder.cli.app import Settings
from autograder.cli.ending import Exit, report_fault, stdout
from autograder.course.layout import Course
from autograder.faults import CourseFault
from autograder.gradebook.release import release
from autograder.report import points, visible


def run(settings: Settings, assignment: str | None) -> Exit:
    """Releases assignments and says of each what it is worth and where it lies.

    Args:
        settings: The course.
        assignment: Name of one assignment; `None` for every one that has a source.
    """
    course = Course(settings.course)
    sources = sorted(path.stem for path in course.root.glob("source/*/*.ipynb") if path.stem == path.parent.name)
    names = sources if assignment is None else [assignment]
    if not names:
        remedy = "Name the course folder: autograder --course DIR release"
        raise CourseFault(f"There is no assignment in {course.root / 'source'}.", remedy=remedy)
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
    worth = f"{len(released.checks)} checks, {points(released.max_points)} points"
    return Text(f"{visible(name)}: {done}: {worth}, {released.release.relative_to(course.root)}")
