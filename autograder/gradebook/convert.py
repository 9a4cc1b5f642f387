"""Runs one of nbgrader's converters for a course, with the course's own configuration, and explains how it failed."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nbgrader.converters import BaseConverter
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets import Bunch, validate
from traitlets.config import Config
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from autograder.course.layout import Course
from autograder.faults import CourseFault, Fault, HostFault
from autograder.gradebook.configure import configure, quiet, use_our_converters

_HOST = re.compile(r"^(?:sqlalchemy\.exc\.OperationalError|OSError|PermissionError): (.*)$", re.MULTILINE)
"""Lines of a traceback that say what a disk or a database refused."""


class _AnyName(CourseDirectory):
    """Lets an assignment's name hold a plus sign, which nbgrader refuses for the sake of its exchange alone."""

    @validate("assignment_id")
    def _validate_assignment_id(self, proposal: Bunch) -> str:
        return str(proposal["value"])


def run_converter(
    kind: type[BaseConverter], course: Course, *, assignment: str, student: str = "*", **settings: Any
) -> None:
    """Runs a converter.

    Args:
        kind: Its class.
        course: The course.
        assignment: Name of the assignment.
        student: Id of a student, or `*` for all.
        settings: Values of the converter's own traits.

    Raises:
        CourseFault: nbgrader gave up on the assignment, or on a student; its log is the detail.
        HostFault: What nbgrader keeps cannot be written.
    """
    with warnings.catch_warnings():
        quiet()
        config = course_config(course)
        directory = _AnyName(config=config, assignment_id=assignment, student_id=student)
        converter = kind(coursedir=directory, config=config, **settings)
        converter.force = settings.get("force", True)
        with _log_of(converter) as log:
            try:
                converter.start()
            except NbGraderException as error:
                if isinstance(error.__cause__, Fault):
                    raise error.__cause__ from error
                if trouble := _HOST.findall(log.getvalue()):
                    message = f"What nbgrader keeps of this course cannot be written: {trouble[-1]}."
                    remedy = "See whether the disk is full, and whose gradebook.db and autograded/ are."
                    raise HostFault(message, remedy=remedy, detail=log.getvalue()) from error
                raise CourseFault(f"nbgrader: {_last(log) or error}", detail=log.getvalue()) from error


def course_config(course: Course) -> Config:
    """Returns the settings that nbgrader has in this course."""
    config = Config()
    try:
        config.merge(PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config())
    except ConfigFileNotFound:
        configure(config, course.root)
    config.CourseDirectory.root = str(Path(course.root).resolve())
    use_our_converters()  # a course's own settings may not have asked for it, and the steps share one transaction
    return config


@contextmanager
def _log_of(converter: BaseConverter) -> Iterator[io.StringIO]:
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    handler.setLevel(logging.ERROR)
    converter.log.addHandler(handler)
    try:
        yield log
    finally:
        converter.log.removeHandler(handler)


def _last(log: io.StringIO) -> str:
    """The line of the log that says what happened: of a traceback its last line."""
    lines = [line for line in log.getvalue().splitlines() if line and not line.startswith(("There was", "Please see"))]
    return lines[-1] if lines else ""
