"""Who may import whom: the table in docs/architecture.md, read as it stands, holds for every module."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "autograder"
MODULES = sorted(PACKAGE.rglob("*.py"))
ENTRY = {"__init__", "__main__"}  # the package's front: names for users, and the command


def _rules(text: str) -> dict[str, set[str]]:
    """Reads the table: which parts each part may import."""
    table = text.split("may import of this package |", 1)[1].split("\n\n", 1)[0]
    rules: dict[str, set[str]] = {}
    leaves: set[str] = set()
    for row in table.strip().splitlines()[1:]:
        parts_cell, _, may_cell = (cell.strip() for cell in row.strip("| ").split(" | "))
        parts = set(re.findall(r"`(\w+)`", parts_cell))
        leaves = leaves or parts
        may = set(re.findall(r"`(\w+)`", may_cell)) | parts
        if "leaves" in may_cell:
            may |= leaves
        if "all above" in may_cell:
            may |= set(rules)
        rules |= dict.fromkeys(parts, may)
    return rules


def _imported_parts(source: str) -> Iterator[str]:
    """Yields the parts of the package that a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                dotted = [alias.name for alias in names]
            case ast.ImportFrom(module="autograder", level=0, names=names):
                dotted = [f"autograder.{alias.name}" for alias in names]
            case ast.ImportFrom(module=str(module), level=0):
                dotted = [module]
            case ast.ImportFrom():
                dotted = ["autograder.relative_import"]  # the house style has absolute imports alone
            case _:
                dotted = []
        for name in dotted:
            if name.startswith("autograder."):
                yield name.split(".")[1]


def _violations(part: str, source: str, rules: Mapping[str, set[str]]) -> set[str]:
    """Returns the parts that a module imports and must not."""
    return set(_imported_parts(source)) - rules[part] - {"__version__"}


def _part(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


RULES = _rules((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_allowed_imports(module: Path) -> None:
    """A module imports only the parts that the table allows to its own part."""
    if _part(module) not in ENTRY:
        assert _violations(_part(module), module.read_text(encoding="utf-8"), RULES) == set()


def test_every_part_has_a_rule() -> None:
    """Every part of the package stands in the table, and every part in the table exists."""
    assert {_part(module) for module in MODULES} - ENTRY == set(RULES)


@pytest.mark.parametrize(
    ("part", "source"),
    [
        ("records", "from autograder.box.policy import Policy"),
        ("agent", "def f():\n    import autograder.suite.plugin"),
        ("program", "from autograder import store"),
        ("course", "from ..box import policy"),
    ],
)
def test_a_forbidden_import_is_found(part: str, source: str) -> None:
    """An import that the table forbids is found, also inside a function, by another form, or a relative one."""
    assert _violations(part, source, RULES)


def test_the_table_is_read() -> None:
    """The rules are those of the table: leaves know each other alone, no agent knows a suite, the command knows all."""
    assert "box" not in RULES["records"]
    assert "suite" not in RULES["agent"]
    assert {"suite", "gradebook", "store", "doctor"} <= RULES["cli"]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_fit_on_a_few_screens(module: Path) -> None:
    """No module is longer than 300 lines."""
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 300


HEAVY = {"jax", "jaxlib", "numpy", "nbgrader", "nbclient", "nbformat", "pytest", "rich"}


def _loaded_by(statement: str) -> set[str]:
    """Returns the top-level modules that a fresh interpreter has loaded after a statement."""
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_the_package_is_light() -> None:
    """`import autograder` loads neither JAX nor nbgrader, nor any other heavy library."""
    assert _loaded_by("import autograder") & HEAVY == set()


def test_the_command_is_light() -> None:
    """The command line loads no JAX, no nbgrader and no pytest before a command asks for them."""
    assert _loaded_by("import autograder.cli") & (HEAVY - {"rich"}) == set()


def test_a_heavy_import_is_found() -> None:
    """The look into a fresh interpreter finds a heavy library that was imported."""
    assert "numpy" in _loaded_by("import numpy")
