"""Writes marks into nbgrader's database, straight from an evaluation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat.notebooknode import NotebookNode, from_dict
from nbgrader.api import Grade
from nbgrader.preprocessors import CheckCellMetadata, NbGraderPreprocessor

from autograder.gradebook.transaction import KeptGradebook
from autograder.records import CheckResult, Evaluation


class SaveMarks(NbGraderPreprocessor):
    """Stands where nbgrader's `SaveAutoGrades` does, and reads no output.

    What a person wrote (manual scores, extra credit, comments) stays. As in nbgrader, a mark that a person had
    overridden is flagged for another look, but only where the one below it has changed.
    """

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Writes the marks of one submission in one transaction.

        Args:
            nb: The autograded notebook; returned as it is.
            resources: nbgrader's, with our `autograder` beside them: `evaluation` and `unanswered` grade_ids.
        """
        evaluation: Evaluation = resources["autograder"]["evaluation"]
        unanswered: frozenset[str] = resources["autograder"]["unanswered"]
        place = resources["nbgrader"]
        with KeptGradebook(place["db_url"]) as gradebook:
            key = (place["notebook"], place["assignment"], place["student"])
            submitted = gradebook.find_submission_notebook(*key)
            checks = {check.grade_id: check for check in evaluation.checks}
            for grade in submitted.grades:
                _save(grade, checks, unanswered)
            for comment in submitted.comments:
                comment.auto_comment = "No response." if comment.name in unanswered else None
            gradebook.db.commit()
        return nb, resources


class CheckMetadata(CheckCellMetadata):
    """Checks nbgrader's metadata once for each release that they come from, not for each student."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Raises where they are not as nbgrader needs them."""
        cells = [{"cell_type": cell.cell_type, "metadata": cell.metadata, "source": ""} for cell in nb.cells]
        _check_metadata(json.dumps(cells, sort_keys=True))
        return nb, resources


@lru_cache(maxsize=64)
def _check_metadata(cells: str) -> None:
    CheckCellMetadata().preprocess(from_dict({"cells": json.loads(cells)}), {})


def _save(grade: Grade, checks: Mapping[str, CheckResult], unanswered: frozenset[str]) -> None:
    check = checks.get(grade.name)
    points: Any
    if check is not None:
        points = check.points
        if grade.cell.max_score != check.max_points:
            grade.cell.max_score = check.max_points
    elif grade.name in unanswered or not grade.max_score:
        points = 0.0
    else:
        points = None  # a person reads this answer
    decided = grade.manual_score is not None
    grade.needs_manual_grade = (grade.needs_manual_grade or grade.auto_score != points) if decided else points is None
    grade.auto_score = points
