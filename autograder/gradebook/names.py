"""Which students a command means, where a student's id may hold what nbgrader takes for a pattern."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase


def matching(students: Iterable[str], wanted: str) -> list[str]:
    """Returns the one student with exactly this id, else all whose id matches it as a pattern.

    Args:
        students: Ids of all students. One with a line break in it would end the batch inside nbgrader, and is left out.
        wanted: nbgrader's `--student`: an id or a pattern such as `*`.
    """
    printable = [student for student in students if student.isprintable()]
    return [wanted] if wanted in printable else [student for student in printable if fnmatchcase(student, wanted)]
