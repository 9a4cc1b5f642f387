"""What stands in a released answer cell in the place of the solution."""

from __future__ import annotations

import re
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions

RAISES = "raise NotImplementedError()"
"""The line by which nbgrader leaves a function unanswered."""

_PLACEHOLDER = re.compile(r"\w+ *= *\S")
"""A variable that is given a value at the top level of a cell."""


class RunnableStubs(ClearSolutions):
    """Clears solutions as nbgrader does, but leaves no exception at the top level of a cell.

    A function that is not answered raises when it is called. An answer that is a plain value has its placeholder in the
    cell already (`predictions = [None, None]`). Where either says that there is no answer yet, an exception beside it,
    in the place of a decorator for example, would but stop the notebook there.
    """

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        """Clears the solution of one cell."""
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.cell_type == "code":
            lines = cell.source.split("\n")
            if any(_PLACEHOLDER.match(line) or line.lstrip() == RAISES != line for line in lines):
                cell.source = "\n".join(line for line in lines if line != RAISES)
        return cell, resources
