"""Which students a command means, where a student's id may hold what nbgrader takes for a pattern."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase


def matching(students: Iterable[str], wanted: str) -> list[str]:
    """Returns the one student with exactly this id, else all whose id matches it as a pattern.

    Args:
        students: Ids of all students.
        wanted: nbgrader's `--student`: an id or a pattern such as `*`.
    """
    known = list(students)
    return [wanted] if wanted in known else [student for student in known if fnmatchcase(student, wanted)]
