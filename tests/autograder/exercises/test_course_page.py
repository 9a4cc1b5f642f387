"""`docs/course.md` is true: its examples run, and its table is that of the notebooks."""

from __future__ import annotations

import ast
import doctest
import itertools
import re
from pathlib import Path

import nbformat
import pytest

from autograder import tools
from autograder.course.layout import Course

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "course.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if re.match(r"\| \d+ \|", line)
]


def test_examples_give_what_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example on the page, run in its order, gives the output that it shows."""
    clock = (1.5**tick for tick in itertools.count()).__next__  # no example depends on how fast the machine is
    monkeypatch.setitem(tools.bench.__kwdefaults__, "clock", clock)
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, PAGE.name, str(PAGE), 0)
    lines: list[str] = []
    outcome = doctest.DocTestRunner().run(test, out=lines.append)
    assert outcome.attempted > 20
    assert outcome.failed == 0, "".join(lines)


def test_the_path_has_every_notebook_once() -> None:
    """The table and the sections name every assignment of the course, once and in one order."""
    names = [row[1].strip("`") for row in ROWS]
    assert sorted(names) == sorted(path.name for path in (ROOT / "source").iterdir())
    assert [f"{row[0]}. `{name}`" for row, name in zip(ROWS, names, strict=True)] == re.findall(
        r"^## (\d+\. `\w+`)$", TEXT, re.MULTILINE
    )


def _imported_tools(notebook: Path) -> set[str]:
    """Returns the names that a notebook's cells import from `autograder`, but for `check`."""
    cells = nbformat.read(notebook, as_version=4).cells
    trees = [ast.parse(cell.source) for cell in cells if cell.cell_type == "code" and "import" in cell.source]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in nodes if node.module == "autograder" for alias in node.names} - {"check"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1].strip("`"))
def test_points_and_tools_are_those_of_the_notebook(row: list[str]) -> None:
    """A row has the points of the release, and names exactly the tools that the notebook imports."""
    _, name, _, _, most, named = row
    assignment = Course(ROOT).assignment(name.strip("`"))
    assert float(most) == assignment.max_points
    assert set(re.findall(r"`(\w+)`", named)) == _imported_tools(assignment.release)
