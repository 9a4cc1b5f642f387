"""A golden submission is a small folder: one student's answer, and what must come of it.

`tests/<a>/submissions/<case>/` holds `expect.toml` and one of

- `solution.py`: the code of the answer cells, each introduced by a line `# %% <grade_id>`. What stands before the first
  marker becomes a student's own cell at the top of the notebook; `# %% extra` adds one at that place.
- `submission.ipynb`: the bytes that were handed in, for what is no notebook at all.

```toml
kind = "wrong"                          # right, wrong, cheating or broken
why = "The loop runs ten times, whatever the tolerance."
drop = ["numerics"]                     # optional: grade_ids of the cells that the student deleted
[checks]                                # one line for every grade cell
numerics = "passed"                     # or "failed", "not_gradable"
iterations = 0.25                       # partial: the fraction of the cell's points
[tests]                                 # optional: exactly the tests of a check that did not pass
iterations = ["test_grows"]
```
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import nbformat

from autograder.faults import CourseFault
from autograder.records import CheckResult, Outcome

_MARKER = re.compile(r"^# %% *(?P<cell>\S+) *$", re.MULTILINE)
_KEYS = {"kind", "why", "drop", "checks", "tests"}


class Kind(StrEnum):
    """What sort of submission a golden one is."""

    RIGHT = "right"
    WRONG = "wrong"
    CHEATING = "cheating"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come of one check.

    Attributes:
        outcome: The outcome of the check as a whole.
        fraction: Earned share of the check's points, 0 to 1; `None` when it is not gradable.
        failing: Names of exactly the tests that do not pass; `None` where the case leaves that open.
    """

    outcome: Outcome
    fraction: float | None
    failing: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One golden submission.

    Attributes:
        name: Name of its folder, unique within its assignment.
        kind: What sort it is.
        why: One sentence: what is special about it.
        expected: What must come of each check, by grade_id.
        folder: Where it lies.
        drop: The grade_ids of the cells that the student deleted.
    """

    name: str
    kind: Kind
    why: str
    expected: Mapping[str, Expected]
    folder: Path
    drop: tuple[str, ...] = ()


def load_cases(submissions: Path) -> tuple[Case, ...]:
    """Reads every golden submission of an assignment, in the order of their names.

    Args:
        submissions: The folder `tests/<a>/submissions`.

    Raises:
        CourseFault: There is none, or one of them is malformed.
    """
    folders = sorted(path for path in submissions.glob("*") if path.is_dir() and not path.name.startswith(("_", ".")))
    if not folders:
        raise CourseFault(f"{submissions} holds no golden submission.")
    return tuple(load_case(folder) for folder in folders)


def load_case(folder: Path) -> Case:
    """Reads one golden submission.

    Raises:
        CourseFault: A file is missing, or `expect.toml` is not of the form above.
    """
    present = [name for name in ("solution.py", "submission.ipynb") if (folder / name).is_file()]
    if len(present) != 1:
        raise CourseFault(f"{folder} must hold one of solution.py and submission.ipynb; it has {present or 'neither'}.")
    try:
        table = tomllib.loads((folder / "expect.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CourseFault(f"{folder / 'expect.toml'} cannot be read: {error}") from error
    return _case(folder, table)


def notebook_bytes(case: Case, notebook: Path) -> bytes:
    """Returns the submitted notebook that the case stands for.

    Args:
        case: The golden submission.
        notebook: The notebook that the student started from: the released one, or the author's source.

    Raises:
        CourseFault: The case answers a cell that the notebook does not have.
    """
    whole = case.folder / "submission.ipynb"
    if whole.is_file():
        return whole.read_bytes()
    document = nbformat.read(notebook, as_version=4)
    cells = {_grade_id(cell): cell for cell in document.cells}
    place = 0  # an extra cell goes here: behind the last cell that was answered
    extras = 0
    for grade_id, code in _pieces((case.folder / "solution.py").read_text(encoding="utf-8")):
        if grade_id == "extra":
            extras += 1
            cell = nbformat.v4.new_code_cell(code, id=f"extra-{extras}")
            document.cells.insert(place, cell)
            place += 1
        elif grade_id and grade_id in cells:
            cells[grade_id].source = code
            place = document.cells.index(cells[grade_id]) + 1
        else:
            raise CourseFault(f"{case.folder} answers the cell {grade_id!r}, which {notebook} does not have.")
    document.cells = [cell for cell in document.cells if _grade_id(cell) not in case.drop]
    text: str = nbformat.writes(document)
    return text.encode()


def differences(case: Case, checks: Iterable[CheckResult]) -> tuple[str, ...]:
    """Returns one sentence for each way in which an evaluation differs from what the case expects; none if it does not.

    Args:
        case: The golden submission.
        checks: The results of grading it.
    """
    came = {check.grade_id: check for check in checks}
    found = [f"{grade_id}: a check that the case does not name" for grade_id in came if grade_id not in case.expected]
    for grade_id, expected in case.expected.items():
        if grade_id not in came:
            found.append(f"{grade_id}: expected {expected.outcome}, but there is no such check")
        else:
            found.extend(_check_differences(expected, came[grade_id]))
    return tuple(found)


def _check_differences(expected: Expected, check: CheckResult) -> list[str]:
    found = []
    if check.outcome != expected.outcome:
        found.append(f"{check.grade_id}: expected {expected.outcome}, came {check.outcome}")
    if expected.fraction is None or check.points is None:
        agrees = expected.fraction is check.points
    else:
        agrees = math.isclose(check.points, expected.fraction * check.max_points, abs_tol=1e-6)
    if not agrees:
        wanted = None if expected.fraction is None else expected.fraction * check.max_points
        found.append(f"{check.grade_id}: expected {wanted} points, came {check.points}")
    failing = frozenset(test.name for test in check.tests if test.outcome != Outcome.PASSED)
    if expected.failing is not None and failing != expected.failing:
        found.append(f"{check.grade_id}: expected {sorted(expected.failing)} not to pass, came {sorted(failing)}")
    return found


def _case(folder: Path, table: Mapping[str, Any]) -> Case:
    if unknown := set(table) - _KEYS:
        raise CourseFault(f"{folder}: expect.toml has the unknown keys {sorted(unknown)}.")
    why, checks = table.get("why"), table.get("checks")
    try:
        kind = Kind(str(table.get("kind")))
    except ValueError:
        raise CourseFault(f"{folder}: kind must be one of {[*map(str, Kind)]}, not {table.get('kind')!r}.") from None
    if not isinstance(why, str) or not why.strip():
        raise CourseFault(f"{folder}: why must say in one sentence what the case is about.")
    if not isinstance(checks, dict) or not checks:
        raise CourseFault(f"{folder}: [checks] must have a line for every grade cell.")
    tests = table.get("tests", {})
    if stray := set(tests) - set(checks):
        raise CourseFault(f"{folder}: [tests] names {sorted(stray)}, which [checks] does not.")
    return Case(
        name=folder.name,
        kind=kind,
        why=why.strip(),
        expected={grade_id: _expected(folder, value, tests.get(grade_id)) for grade_id, value in checks.items()},
        folder=folder,
        drop=tuple(table.get("drop", ())),
    )


def _expected(folder: Path, value: object, failing: list[str] | None) -> Expected:
    names = None if failing is None else frozenset(failing)
    if value == Outcome.PASSED:
        return Expected(Outcome.PASSED, 1.0, names)
    if value == Outcome.FAILED:
        return Expected(Outcome.FAILED, 0.0, names)
    if value == Outcome.NOT_GRADABLE:
        return Expected(Outcome.NOT_GRADABLE, None, names)
    if isinstance(value, float) and 0 < value < 1:
        return Expected(Outcome.PARTIAL, value, names)
    raise CourseFault(f"{folder}: a check is passed, failed, not_gradable or between 0 and 1, not {value!r}.")


def _pieces(text: str) -> list[tuple[str, str]]:
    """Splits a solution file at its markers into (grade_id or `extra`, code)."""
    head, *rest = _MARKER.split(text)
    pieces = list(zip(rest[0::2], rest[1::2], strict=True))
    if head.strip():
        pieces.insert(0, ("extra", head))
    return [(grade_id, code.strip("\n")) for grade_id, code in pieces]


def _grade_id(cell: nbformat.NotebookNode) -> str | None:
    grade_id: str | None = cell.metadata.get("nbgrader", {}).get("grade_id")
    return grade_id
