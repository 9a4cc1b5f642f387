"""A step is what a box runs at once: a cell, and after that has ended its box, what is left of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

MAX_STATEMENTS = 500
"""A cell of more statements than this is dropped as a whole when it kills its box."""

_EFFECTS = (ast.Expr, ast.While, ast.For)


@dataclass(frozen=True, slots=True)
class Step:
    """One execution in a box.

    Attributes:
        cell: Number of the cell that it is of.
        source: What is run.
        whole: Whether that is the cell as it was handed in.
    """

    cell: int
    source: str
    whole: bool


def survivors(step: Step) -> list[Step]:
    """Returns what to run in place of a step that killed its box: its statements one by one, or nothing.

    A single statement is dropped. So is a cell that is not plain Python (a magic), or too long to take apart.
    """
    if not step.whole:
        return []
    try:
        body = ast.parse(step.source).body
        if not 1 < len(body) <= MAX_STATEMENTS:
            return []
        return [replace(step, source=ast.unparse(statement), whole=False) for statement in body]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


def calm(step: Step) -> Step:
    """Returns a step without bare expressions and loops, which do more than define; what is not plain Python stays."""
    try:
        body = ast.parse(step.source).body
        kept = [statement for statement in body if not isinstance(statement, _EFFECTS)]
        if len(kept) == len(body):
            return step
        return replace(step, source=ast.unparse(ast.Module(kept, [])), whole=False)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return step
