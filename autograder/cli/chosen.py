"""Which assignments a command means, and whether there is a course at all."""

from __future__ import annotations

from autograder.cli.ending import WrongUse
from autograder.course.layout import Course


def chosen(course: Course, assignment: str | None) -> tuple[str, ...]:
    """Returns the names of the assignments that a command works on.

    Args:
        course: The course folder.
        assignment: The name that was typed; `None` for every assignment.

    Raises:
        WrongUse: There is no such assignment, or none at all.
    """
    known = course.assignment_names()
    if not known:
        named = f" {assignment!r}" if assignment else ""
        remedy = "Name the course folder: autograder --course DIR ..."
        raise WrongUse(f"There is no assignment{named} in {course.root}.", remedy=remedy)
    if assignment is None:
        return known
    if assignment not in known:
        raise WrongUse(
            f"There is no assignment {assignment!r} in {course.root}.", remedy=f"Known assignments: {', '.join(known)}."
        )
    return (assignment,)
