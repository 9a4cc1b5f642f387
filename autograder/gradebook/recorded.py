"""Which evaluation the marks of a student come from."""

from __future__ import annotations

import json
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry


def recorded_digest(folder: Path, assignment: str, *, student: str, db_url: str) -> str | None:
    """Returns the digest of the evaluation that stands in an autograded folder and in the database.

    The notebook is written after the marks, so that one without the other is as if nothing were recorded.

    Args:
        folder: `autograded/<student>/<assignment>`.
        assignment: Name of the assignment.
        student: nbgrader's student id.
        db_url: Where the database lies.
    """
    try:
        document = json.loads((folder / f"{assignment}.ipynb").read_bytes())
        digest = document["metadata"]["autograder"]["digest"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not digest:
        return None
    with Gradebook(db_url) as gradebook:
        try:
            gradebook.find_submission(assignment, student)
        except MissingEntry:
            return None
    return str(digest)
