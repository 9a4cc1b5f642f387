"""Which evaluation the marks of a student come from, and from when the work is that they are for."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.utils import parse_utc

from autograder.course.files import read_bounded
from autograder.gradebook.transaction import KeptGradebook

MAX_TIMESTAMP = 200
"""Bytes of a timestamp.txt."""


def recorded_digest(autograded: Path, submitted: Path, *, assignment: str, student: str, db_url: str) -> str | None:
    """Returns the digest of the evaluation that stands in an autograded folder and in the database for this hand-in.

    The notebook is written after the marks, so that one without the other is as if nothing were recorded. So are marks
    for what was handed in at another time, from which another late penalty may follow.

    Args:
        autograded: `autograded/<student>/<assignment>`.
        submitted: `submitted/<student>/<assignment>`.
        assignment: Name of the assignment.
        student: nbgrader's student id.
        db_url: Where the database lies.
    """
    digest = noted_digest(autograded, assignment=assignment)
    if digest is None:
        return None
    try:
        with KeptGradebook(db_url) as gradebook:
            noted = gradebook.find_submission(assignment, student).timestamp
    except MissingEntry:
        return None
    try:
        same = handed_in_at(submitted) in (None, noted)
    except ValueError:
        same = True  # recording again would change nothing
    return digest if same else None


def noted_digest(autograded: Path, *, assignment: str) -> str | None:
    """Returns the digest that stands in the autograded notebook, whatever the database says; `None` if there is none.

    Args:
        autograded: `autograded/<student>/<assignment>`.
        assignment: Name of the assignment.
    """
    try:
        document = json.loads((autograded / f"{assignment}.ipynb").read_bytes())
        digest = document["metadata"]["autograder"]["digest"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return str(digest) if digest else None


def handed_in_at(submitted: Path) -> datetime | None:
    """Returns when work was handed in, as nbgrader notes it; `None` where it is not noted.

    Raises:
        ValueError: The note is no time, or cannot be read.
    """
    try:
        when: datetime = parse_utc(read_bounded(submitted / "timestamp.txt", MAX_TIMESTAMP).decode().strip())
    except FileNotFoundError:
        return None
    except (OSError, OverflowError) as error:
        raise ValueError(str(error)) from error
    return when
