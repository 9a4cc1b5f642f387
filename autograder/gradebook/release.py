"""Releases an assignment through nbgrader, and proves that nothing secret is in what students get."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, rmtree

from nbgrader.converters import GenerateAssignment

from autograder.course.cells import Cell, Role, read_cells
from autograder.course.files import regular_files
from autograder.course.layout import Assignment, Course
from autograder.faults import CourseFault
from autograder.gradebook.convert import run_converter

_SOLUTION = re.compile(r"### BEGIN SOLUTION(.*?)### END SOLUTION", re.DOTALL)
_MARKERS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS", "BEGIN MARK SCHEME")


def release(course: Course, assignment: str) -> Assignment:
    """Makes the students' version of an assignment, and makes the assignment known to the gradebook.

    Equal sources give equal bytes, so that `release/` can be kept under version control.

    Args:
        course: The course.
        assignment: Name of the assignment.

    Returns:
        The assignment as it was released.

    Raises:
        CourseFault: nbgrader refuses it, a secret is in it, or its grade cells and hidden tests do not pair.
    """
    source = course.root / "source" / assignment / f"{assignment}.ipynb"
    if not source.is_file():
        known = ", ".join(course.assignment_names()) or "none"
        raise CourseFault(f"There is no {source}.", remedy=f"Known assignments: {known}.")
    _require_ids(source)
    with _standing(course, course.root / "release" / assignment):
        try:
            run_converter(GenerateAssignment, course, assignment=assignment, student=".")
        except CourseFault as fault:
            if "there are submissions associated" not in fault.message:
                raise
            message = f"{assignment} has recorded marks, so that none of its cells may come, go or change their kind."
            raise CourseFault(message, remedy="Release it under another name.", detail=fault.detail) from fault
        released = course.assignment(assignment)
        if leaks := tuple(secrets_in_release(released)):
            raise CourseFault(f"{assignment} must not be handed out: {leaks[0]}", detail="\n".join(leaks))
    return released


@contextmanager
def _standing(course: Course, folder: Path) -> Iterator[None]:
    """Brings back the release of before where a new one fails: students and graders have it."""
    before = course.root / ".autograder" / f"release-{os.getpid()}"
    rmtree(before, ignore_errors=True)
    if folder.exists():
        copytree(folder, before)
    try:
        yield
    except BaseException:
        rmtree(folder, ignore_errors=True)
        if before.exists():
            copytree(before, folder)
        raise
    finally:
        rmtree(before, ignore_errors=True)


def secrets_in_release(assignment: Assignment) -> Iterator[str]:
    """Yields one sentence for each secret that a release gives away.

    Args:
        assignment: What was released; its source must exist.
    """
    folder = assignment.release.parent
    text = assignment.release.read_text(encoding="utf-8")
    for marker in _MARKERS:
        if marker in text:
            yield f"the released notebook holds {marker!r}."
    source = {cell.grade_id: cell for cell in _cells(assignment.source) if cell.grade_id}
    for cell in assignment.cells:
        if cell.kind == "code" and cell.raw.get("outputs"):
            yield f"the cell {cell.grade_id or cell.source[:40]!r} holds outputs."
        if cell.role in (Role.ANSWER, Role.MANUAL):
            yield from _solution_lines(cell, source[cell.grade_id])
    hidden = {path.read_bytes(): name for name, path in regular_files(assignment.suite) if path.stat().st_size}
    for name, path in regular_files(folder):
        if (secret := hidden.get(path.read_bytes())) is not None:
            yield f"the file {name} is the hidden file {secret}."


def _solution_lines(released: Cell, source: Cell) -> Iterator[str]:
    kept = {line.strip() for line in released.source.splitlines()}
    for region in _SOLUTION.findall(source.source):
        for line in region.splitlines():
            if line.strip() and line.strip() in kept:
                yield f"the answer cell {released.grade_id!r} holds a line of its solution: {line.strip()!r}."


def _require_ids(source: Path) -> None:
    """Nbformat gives a cell without an id a random one, and every release would differ."""
    try:
        cells = _cells(source)
    except ValueError as error:
        raise CourseFault(f"{source} cannot be read as a notebook: {error}") from error
    ids = [cell.raw.get("id") for cell in cells]
    if not all(isinstance(one, str) and one for one in ids) or len(set(ids)) != len(ids):
        raise CourseFault(
            f"{source} has cells without an id of their own.",
            remedy="Save it as notebook format 4.5, for example from JupyterLab.",
        )


def _cells(path: Path) -> tuple[Cell, ...]:
    return read_cells(json.loads(path.read_bytes()))
