"""The autograded notebook: the cells that were graded, and our own report where outputs would be.

No output that a student's kernel made is in it. What HTML quotes is escaped by the template engine, and a student's own
text is made safe (`prose`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import nbformat
from jinja2 import Environment, PackageLoader
from nbformat.notebooknode import NotebookNode

from autograder.course.cells import Cell
from autograder.course.intake import Intake
from autograder.course.layout import Assignment
from autograder.gradebook.prose import harmless
from autograder.records import CheckResult, Evaluation, Outcome, Status
from autograder.report import points, visible
from autograder.store import is_final

WORDS = {
    Outcome.PASSED: "passed",
    Outcome.FAILED: "failed",
    Outcome.PARTIAL: "partly passed",
    Outcome.NOT_GRADABLE: "not graded yet: a person decides",
}
SIGNS = {Outcome.PASSED: "✓", Outcome.FAILED: "✗", Outcome.NOT_GRADABLE: "?"}


def autograded_notebook(taken: Intake, evaluation: Evaluation, assignment: Assignment) -> NotebookNode:
    """Builds the notebook that nbgrader keeps and makes feedback from.

    Args:
        taken: The cells that were graded.
        evaluation: What came of them.
        assignment: Whose release gives nbgrader's metadata.
    """
    templates = _templates()
    released = {cell.grade_id: cell for cell in assignment.cells if cell.grade_id}
    authored = {cell.source for cell in assignment.cells}
    checks = {check.grade_id: check for check in evaluation.checks}
    summary = templates.get_template("summary.html.j2").render(evaluation=evaluation)
    cells = [_code("", identity="autograder-summary", html=summary, text=_summary_text(evaluation))]
    for number, placed in enumerate(taken.cells, start=1):
        cell = _node(
            placed.cell,
            released.get(placed.cell.grade_id),
            identity=f"cell-{number}",
            authored=placed.cell.source in authored,
        )
        if check := checks.get(placed.cell.grade_id):
            html = templates.get_template("check.html.j2").render(check=check)
            cell.outputs = [_output(html, check_text(check))]
        cells.append(cell)
    metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
        "autograder": {"digest": evaluation.digest if is_final(evaluation) else ""},
    }
    return _nodes({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells})


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader("autograder.gradebook"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    templates.globals |= {"sayings": WORDS, "signs": SIGNS, "visible": visible, "points": points}
    return templates


def check_text(check: CheckResult) -> str:
    """Returns what a student reads at a grade cell, as plain text."""
    earned = "no points yet" if check.points is None else points(check.points)
    lines = [f"{check.grade_id}: {WORDS[check.outcome]}, {earned} of {points(check.max_points)} points"]
    for test in check.tests:
        lines.append(f"  {WORDS[test.outcome]}: {visible(test.title)}")
        lines += [f"    {visible(line)}" for line in (test.message, test.hint) if line]
    return "\n".join(lines)


def _summary_text(evaluation: Evaluation) -> str:
    earned = "no points yet" if evaluation.status is Status.NOT_GRADABLE else points(evaluation.score)
    lines = [f"{evaluation.assignment}: {earned} of {points(evaluation.max_score)} points"]
    lines += [visible(evaluation.reason)] if evaluation.reason else []
    lines += [f"Repaired: {visible(repair.message)}" for repair in evaluation.repairs]
    lines += [f"Limit: {visible(limit.where)}: {visible(limit.message)}" for limit in evaluation.limits]
    return "\n".join(lines)


def _node(cell: Cell, released: Cell | None, *, identity: str, authored: bool) -> NotebookNode:
    """Makes a cell with nbgrader's metadata from the release; text that is not the author's is made safe to show."""
    metadata = dict(released.raw.get("metadata", {})) if released else {}
    if cell.kind == "code":
        return _code(cell.source, identity=identity, metadata=metadata)
    source = cell.source if authored else harmless(cell.source, cell.raw.get("attachments"))
    return _nodes({"cell_type": "markdown", "id": identity, "metadata": metadata, "source": source})


def _code(
    source: str, *, identity: str, metadata: Mapping[str, Any] | None = None, html: str = "", text: str = ""
) -> NotebookNode:
    node = {
        "cell_type": "code",
        "id": identity,
        "metadata": dict(metadata or {}),
        "source": source,
        "execution_count": None,
        "outputs": [_output(html, text)] if html else [],
    }
    return _nodes(node)


def _output(html: str, text: str) -> NotebookNode:
    data = {"text/html": html, "text/plain": text}
    return _nodes({"output_type": "display_data", "data": data, "metadata": {}})


def _nodes(value: Mapping[str, Any]) -> NotebookNode:
    """Gives plain dictionaries the attributes that nbgrader reads."""
    nodes: NotebookNode = nbformat.from_dict(value)
    return nodes
