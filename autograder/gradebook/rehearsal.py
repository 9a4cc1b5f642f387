"""A regrade is rehearsed on a copy of the gradebook, by the very steps that would record it.

So the preview shows what will stand, with all that people decided and the course's own late penalties; and the course's
gradebook, autograded notebooks and feedback pages are not touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from autograder.box import folder
from autograder.course.layout import Course
from autograder.gradebook.ledger import NbgraderLedger
from autograder.gradebook.record import record
from autograder.gradebook.sharing import one_writer
from autograder.records import Evaluation

_PREFIX = "autograder-regrade-"
_CONFIG = """
from pathlib import Path
from autograder.gradebook.configure import configure

c = get_config()
if Path({config!r}).is_file():
    load_subconfig("nbgrader_config.py", path={root!r})
else:
    configure(c, Path({copy!r}))
c.CourseDirectory.root = {copy!r}
c.CourseDirectory.db_url = {url!r}
c.CourseDirectory.autograded_directory = "autograded"
c.EvaluatedAutograde.pre_convert_hook = c.EvaluatedAutograde.post_convert_hook = None
"""
"""The course's own settings, but for where things are written, and for hooks that may do so anywhere."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A ledger that knows what the course has recorded, and records in the copy.

    Attributes:
        real: The ledger of the course.
        copy: A course folder with the copy of the gradebook.
    """

    real: NbgraderLedger
    copy: Course

    def recorded(self, assignment: str, student: str) -> str | None:
        """As that of the course; see `autograder.batch.grading.Ledger`."""
        return self.real.recorded(assignment, student)

    def last(self, assignment: str, student: str) -> str | None:
        """As that of the course."""
        return self.real.last(assignment, student)

    def record(self, evaluation: Evaluation) -> None:
        """Records in the copy."""
        record(self.copy, evaluation)


@contextmanager
def rehearsal(course: Course) -> Iterator[Rehearsal]:
    """Makes a copy of a course's gradebook, in a folder that nobody else may read, and removes it in the end.

    Args:
        course: The course; what was handed in and the assignments are read where they are.
    """
    folder.sweep(_PREFIX)
    with ExitStack() as stack:
        private = folder.PrivateFolder.create(_PREFIX)
        stack.callback(private.remove)
        copy = Course(private.path.resolve())
        for place in ("source", "release", "tests", "submitted"):
            if (course.root / place).exists():
                (copy.root / place).symlink_to((course.root / place).resolve(), target_is_directory=True)
        words = {
            "config": str(course.root / "nbgrader_config.py"),
            "root": str(course.root),
            "copy": str(copy.root),
            "url": f"sqlite:///{copy.gradebook}",
        }
        (copy.root / "nbgrader_config.py").write_text(_CONFIG.format(**words), encoding="utf-8")
        if course.gradebook.is_file():
            _copy_database(course, copy.gradebook)
        yield Rehearsal(NbgraderLedger(course), copy)


def _copy_database(course: Course, target: Path) -> None:
    """Copies a database as a whole, also while somebody writes to it."""
    source = f"{course.gradebook.resolve().as_uri()}?mode=ro"
    with (
        one_writer(course),
        closing(sqlite3.connect(source, uri=True)) as database,
        closing(sqlite3.connect(target)) as copied,
    ):
        database.backup(copied)
