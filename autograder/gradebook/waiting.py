"""On a feedback page, what waits for a person has no number: a zero would be read as a mark."""

from __future__ import annotations

import math
from typing import Any

from jinja2.filters import do_round
from nbconvert.exporters.exporter import ResourcesDict
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Grade
from nbgrader.preprocessors import GetGrades

NO_NUMBER = math.nan
"""Passes through the filters of nbgrader's template, which make a float of whatever there is."""


class GetMarks(GetGrades):
    """nbgrader's own, but for what has no points yet."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Puts the marks into the notebook; the sum has no number if no part of it has one."""
        self._waiting: list[bool] = []
        nb, resources = super().preprocess(nb, resources)
        if self._waiting and all(self._waiting):
            resources["nbgrader"]["score"] = NO_NUMBER
        return nb, resources

    def _get_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        super()._get_score(cell, resources)
        place = (cell.metadata["nbgrader"]["grade_id"], self.notebook_id, self.assignment_id, self.student_id)
        grade: Grade = self.gradebook.find_grade(*place)
        self._waiting.append(grade.auto_score is None and grade.manual_score is None)
        if self._waiting[-1]:
            cell.metadata.nbgrader["score"] = NO_NUMBER


def rounded(value: float, precision: int = 0, method: Any = "common") -> float | str:
    """Rounds as Jinja's filter does, and shows a dash where there is no number."""
    return "-" if math.isnan(value) else do_round(value, precision, method)
