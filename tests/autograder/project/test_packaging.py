"""What is shipped: the package and nothing hidden; and what it needs is declared."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    """What is under version control."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def shipped(tracked: list[str], tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in the wheel, built from a clean copy of what is under version control."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in tracked:
        target = folder / "tree" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", "dist", "./tree"]
    subprocess.run(build, cwd=folder, check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    (built,) = (folder / "dist").glob("*.whl")
    return set(zipfile.ZipFile(built).namelist())


def test_nothing_hidden_is_shipped(shipped: set[str]) -> None:
    """The wheel holds the package alone: no hidden suite, reference, source notebook or golden submission."""
    assert {name.split("/")[0] for name in shipped} == {"autograder", f"autograder-{PROJECT['version']}.dist-info"}
    assert [name for name in shipped if re.search(r"(^|/)test_\w+\.py$|reference|submission|\.ipynb$", name)] == []


def test_the_whole_package_is_shipped(shipped: set[str], tracked: list[str]) -> None:
    """The wheel holds every module and data file of the package."""
    assert {name for name in tracked if name.startswith("autograder/")} - shipped == set()


def _imported(source: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - {"autograder"}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_import_is_declared() -> None:
    """Every library that the package imports is a dependency of its own, never one that another brings along."""
    lines = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dask"]]  # for those who have a cluster
    declared = {_normal(re.split(r"[<>=! ;\[]", line)[0]) for line in lines}
    distributions = metadata.packages_distributions()
    imported = set[str]()
    for module in (ROOT / "autograder").rglob("*.py"):
        imported |= _imported(module.read_text(encoding="utf-8"))
    undeclared = {name for name in imported if not {_normal(d) for d in distributions.get(name, [name])} & declared}
    assert undeclared == set()


def test_every_dependency_is_explained() -> None:
    """docs/dependencies.md has a row for every dependency and for no other."""
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = {
        _normal(name)
        for row in re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)
        for name in re.findall(r"`(.+?)`", row)
    }
    lines = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    assert rows == {_normal(re.split(r"[<>=! ;\[]", line)[0]) for line in lines}


def test_every_dependency_is_pinned() -> None:
    """constraints.txt pins every installed library that the project needs to the version that is tested."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pinned = {_normal(line.split("==")[0]) for line in text.splitlines() if "==" in line}
    lines = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    assert {_normal(re.split(r"[<>=! ;\[]", line)[0]) for line in lines} <= pinned


def test_every_pin_installs_on_the_oldest_python() -> None:
    """What constraints.txt pins for Python 3.11 allows each of its releases: Debian 12 has 3.11.2."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if "==" in line]
    installed = {_normal(found.name): found for found in metadata.distributions()}
    too_new = [
        str(pin)
        for pin in pins
        if (pin.marker is None or pin.marker.evaluate({"python_version": "3.11", "python_full_version": "3.11.0"}))
        and (found := installed.get(_normal(pin.name)))
        and found.version in pin.specifier
        and "3.11.0" not in SpecifierSet(found.metadata.get("Requires-Python", ""))
    ]
    assert too_new == []
