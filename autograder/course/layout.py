"""A course is a folder, and an assignment is one name in three of its folders: `source`, `release` and `tests`.

```
source/<a>/<a>.ipynb        what the author writes, with solutions
release/<a>/<a>.ipynb       what students get; its locked grade cells say how much each check is worth
tests/<a>/test_<g>.py       the hidden suite of the grade cell with grade_id <g>
tests/<a>/assignment.toml   optional: [limits], by the names of `autograder.box.policy.Limits`
submitted/<student>/<a>/    what students hand in
gradebook.db                nbgrader's own
```
Only what the files say is read here; nothing is imported, run or written.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.course.cells import Cell, Role, read_cells
from autograder.faults import CourseFault
from autograder.records import Repair


@dataclass(frozen=True, slots=True)
class Check:
    """A grade cell of the release, and the hidden suite that it is paired with.

    Attributes:
        grade_id: nbgrader's id of the cell.
        max_points: What it is worth, greater than 0.
        suite: The file `tests/<a>/test_<grade_id>.py`.
    """

    grade_id: str
    max_points: float
    suite: Path


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment of a course, complete and consistent.

    Attributes:
        name: Its name, in all three places.
        source: The author's notebook; need not exist where only grading is done.
        release: The released notebook.
        suite: The folder of hidden tests.
        cells: All cells of the release, in order.
        checks: Grade cells with a hidden suite, in the order of the release.
        limits: The assignment's own limits by name; what it does not name keeps its default.
    """

    name: str
    source: Path
    release: Path
    suite: Path
    cells: tuple[Cell, ...]
    checks: tuple[Check, ...]
    limits: Mapping[str, float] = field(default_factory=dict)

    @property
    def max_points(self) -> float:
        """Sum of the maxima of all checks."""
        return sum(check.max_points for check in self.checks)

    @property
    def answers(self) -> tuple[Cell, ...]:
        """The code cells of the release that students fill in, in order."""
        return tuple(cell for cell in self.cells if cell.role is Role.ANSWER)


@dataclass(frozen=True, slots=True)
class Submission:
    """What one student handed in for one assignment.

    Attributes:
        student: nbgrader's student id; may be empty for a notebook that is graded on its own.
        raw: The bytes of the notebook file, exactly as they were handed in.
        filename: The name under which the notebook was handed in; may be empty when there was none.
        folder: The folder with the other files that were handed in; `None` if there is none.
        repairs: What had to be decided to find the notebook among the files.
    """

    student: str
    raw: bytes
    filename: str = ""
    folder: Path | None = None
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """A course folder.

    Attributes:
        root: The folder that holds `source`, `release`, `tests`, `submitted` and `gradebook.db`.
    """

    root: Path

    @property
    def gradebook(self) -> Path:
        """Nbgrader's SQLite database."""
        return self.root / "gradebook.db"

    @property
    def store(self) -> Path:
        """Where evaluations are kept; see `autograder.store`."""
        return self.root / ".autograder" / "evaluations"

    def submitted(self, assignment: str, student: str) -> Path:
        """The folder into which a student hands in."""
        return self.root / "submitted" / student / assignment

    def assignment_names(self) -> tuple[str, ...]:
        """Names of all assignments that have a source or a release, sorted."""
        notebooks = [*self.root.glob("source/*/*.ipynb"), *self.root.glob("release/*/*.ipynb")]
        return tuple(sorted({path.stem for path in notebooks if path.stem == path.parent.name}))

    def students(self, assignment: str) -> tuple[str, ...]:
        """Ids of the students who handed in, sorted; the folder of an id may be empty.

        A name with bytes that are no text, or with control characters, cannot be an id and is left out.
        """
        folders = (self.root / "submitted").glob("*/*")
        ids = (path.parent.name for path in folders if path.name == assignment and path.is_dir())
        return tuple(sorted(student for student in ids if student.isprintable()))

    def strays(self) -> tuple[Path, ...]:
        """What lies in `submitted` where nobody looks, sorted: a misspelt assignment, a notebook without its folder.

        Hidden files are left out, and so are files beside the students' folders that are no notebooks.
        """
        names = self.assignment_names()
        found = [path for path in (self.root / "submitted").glob("*.ipynb") if path.is_file()]
        for path in (self.root / "submitted").glob("*/*"):
            graded = path.name in names and path.is_dir() and path.parent.name.isprintable()
            if not graded and not path.name.startswith("."):
                found.append(path)
        return tuple(sorted(found))

    def assignment(self, name: str) -> Assignment:
        """Reads one assignment.

        Raises:
            CourseFault: It does not exist, is not released, or its grade cells and hidden tests do not pair one to one.
        """
        source = self.root / "source" / name / f"{name}.ipynb"
        release = self.root / "release" / name / f"{name}.ipynb"
        suite = self.root / "tests" / name
        if not release.is_file():
            if source.is_file():
                raise CourseFault(f"{name} is not released yet.", remedy=f"Run: autograder release {name}")
            known = ", ".join(self.assignment_names())
            remedy = f"Known assignments: {known}." if known else "Name the course folder: autograder --course DIR ..."
            raise CourseFault(f"There is no assignment {name!r} in {self.root}.", remedy=remedy)
        cells = _release_cells(release)
        return Assignment(
            name=name,
            source=source,
            release=release,
            suite=suite,
            cells=cells,
            checks=_pair(name, cells, suite),
            limits=_limits(suite / "assignment.toml"),
        )


def _release_cells(path: Path) -> tuple[Cell, ...]:
    """Reads the cells of a notebook that the author vouches for."""
    try:
        document = json.loads(path.read_bytes())
        cells = read_cells(document)
    except (OSError, ValueError) as error:
        raise CourseFault(f"{path} cannot be read as a notebook: {error}") from error
    seen: set[str] = set()
    for cell in cells:
        if cell.role is not Role.PLAIN and not cell.grade_id:
            raise CourseFault(f"{path} has an nbgrader cell without a grade_id.")
        if cell.grade_id in seen:
            raise CourseFault(f"{path} has two cells with the grade_id {cell.grade_id!r}.")
        if cell.grade_id:
            seen.add(cell.grade_id)
    return cells


def _pair(name: str, cells: tuple[Cell, ...], suite: Path) -> tuple[Check, ...]:
    """Pairs every grade cell with its hidden test file, and every file with its cell."""
    graded = [cell for cell in cells if cell.role is Role.GRADE]
    if not graded:
        raise CourseFault(f"{name} has no locked grade cell, so that nothing can be graded.")
    for cell in graded:
        if not cell.points > 0:
            raise CourseFault(f"{name}: the grade cell {cell.grade_id!r} is worth {cell.points:g} points.")
    files = {path.stem.removeprefix("test_"): path for path in sorted(suite.glob("test_*.py"))}
    if missing := [cell.grade_id for cell in graded if cell.grade_id not in files]:
        raise CourseFault(
            f"{name}: the grade cells {missing} have no hidden test file.",
            remedy=f"Write {suite / f'test_{missing[0]}.py'}",
        )
    if stray := sorted(set(files) - {cell.grade_id for cell in graded}):
        raise CourseFault(
            f"{name}: test_{stray[0]}.py is paired with no grade cell.",
            remedy=f"Give a grade cell the grade_id {stray[0]!r}, or the file a name that does not start with test_.",
        )
    return tuple(Check(cell.grade_id, cell.points, files[cell.grade_id]) for cell in graded)


def _limits(path: Path) -> Mapping[str, float]:
    if not path.is_file():
        return {}
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CourseFault(f"{path} cannot be read: {error}") from error
    limits = table.pop("limits", {})
    if table or not isinstance(limits, dict):
        raise CourseFault(f"{path} may hold the table [limits] and nothing else.")
    for key, value in limits.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise CourseFault(f"{path}: the limit {key} must be a number greater than 0, not {value!r}.")
    return limits
