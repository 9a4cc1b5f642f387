"""Which cells need not run while grading: demonstrations, and placeholders of what is defined elsewhere.

Demonstrations are cells of a release that only show something; their author says so by the tag `demonstration`. One
that a student has changed is no longer the author's and runs, and so does one that binds a name which code that runs
may read.
"""

from __future__ import annotations

import re
import symtable
import warnings
from collections.abc import Sequence

from autograder.course.cells import Cell, Role

TAG = "demonstration"

_WORD = re.compile(r"\w+")
_IMPORTS_ALL = re.compile(r"^\s*from\b.*\bimport\s*\*", re.MULTILINE)
_LOOKS_UP_NAMES = frozenset({"eval", "exec", "globals", "vars", "locals", "get_ipython", "__import__", "__main__"})
"""With these code can read a name that it does not spell."""


def not_needed(cells: Sequence[Cell], release: Sequence[Cell]) -> frozenset[int]:
    """Finds the demonstrations that need not run.

    Args:
        cells: The notebook that is graded.
        release: The cells of the release; what a student's cell is tagged with counts for nothing.

    Returns:
        Their indexes among `cells`.
    """
    shown = {cell.source.strip() for cell in release if TAG in cell.tags}
    code = [index for index, cell in enumerate(cells) if cell.kind == "code"]
    idle = (Role.PLAIN, Role.LOCKED)
    candidates = {index for index in code if cells[index].role in idle and cells[index].source.strip() in shown}
    reads = {index: _read(cells[index].source) for index in code if cells[index].role is not Role.GRADE}
    binds = {index: _bound(cells[index].source) for index in candidates}
    while True:
        read = frozenset[str]().union(*(names for index, names in reads.items() if index not in candidates))
        if read & _LOOKS_UP_NAMES:
            return frozenset()
        needed = {index for index in candidates if (bound := binds[index]) is None or bound & read}
        if not needed:
            return frozenset(candidates)
        candidates -= needed


def defined_elsewhere(cells: Sequence[Cell], placeholders: frozenset[str]) -> frozenset[int]:
    """Finds the placeholders whose names other cells bind, such as one into which a student merged several answers.

    What a placeholder imports is no answer, and a locked grade cell, which does not run, binds nothing.

    Args:
        cells: The notebook that is graded.
        placeholders: The grade_ids of answer cells that were missing and have been put in.

    Returns:
        Their indexes among `cells`.
    """
    put_in = {index for index, cell in enumerate(cells) if cell.grade_id in placeholders}
    running = (i for i, cell in enumerate(cells) if cell.kind == "code" and cell.role is not Role.GRADE)
    bound = frozenset[str]().union(*(_bound(cells[i].source) or () for i in running if i not in put_in))
    return frozenset(i for i in put_in if bound & (_bound(cells[i].source, imports=False) or frozenset()))


def _read(source: str) -> frozenset[str]:
    """Returns the global names that a cell may read, now or in a function that it defines; at worst all its words."""
    table = _table(source)
    return frozenset(_WORD.findall(source)) if table is None else frozenset(_referenced(table, top=True))


def _bound(source: str, *, imports: bool = True) -> frozenset[str] | None:
    """Returns the global names that a cell may bind, with those of its imports or not; `None` if it cannot be seen."""
    table = _table(source)
    if table is None or _IMPORTS_ALL.search(source):
        return None
    return frozenset(_assigned(table, top=True, imports=imports))


def _table(source: str) -> symtable.SymbolTable | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the student's text, in the grader's terminal
            return symtable.symtable(source, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # magics, too
        return None


def _referenced(table: symtable.SymbolTable, *, top: bool) -> set[str]:
    names = {each.get_name() for each in table.get_symbols() if top or each.is_global()}
    return names.union(*(_referenced(child, top=False) for child in table.get_children()))


def _assigned(table: symtable.SymbolTable, *, top: bool, imports: bool) -> set[str]:
    symbols = [each for each in table.get_symbols() if top or each.is_global()]
    bound = (one for one in symbols if one.is_assigned() or one.is_namespace() or (imports and one.is_imported()))
    names = {each.get_name() for each in bound}
    return names.union(*(_assigned(child, top=False, imports=imports) for child in table.get_children()))
