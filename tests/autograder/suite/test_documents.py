"""`docs/writing-a-suite.md`: its examples run as they stand, and it names all that there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import autograder.suite
from autograder.suite import Function, Program, Purity, Student
from autograder.suite.asking import LinkPair
from autograder.suite.plugin import MARKS
from autograder.suite.run import run_suite

pytest_plugins = ["pytester"]

DOCUMENT = (Path(__file__).parents[3] / "docs" / "writing-a-suite.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```python\n# ([^\n]+)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL))
CHECKS = ("numerics", "lowering", "compiles")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course folder with the files of the document."""
    for name, text in BLOCKS.items():
        if name.endswith(".py"):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return tmp_path


def test_suite_passes_on_its_reference(course: Path, pytester: pytest.Pytester) -> None:
    """The hidden checks of the document pass on its reference, by plain pytest."""
    result = pytester.runpytest_inprocess("--import-mode=importlib", "-p", "no:cacheprovider", str(course / "tests"))
    result.assert_outcomes(passed=6)


def test_public_checks_pass_on_the_reference(course: Path, links_of: Callable[[str], LinkPair]) -> None:
    """The public check of the document passes on the model answer."""
    links = links_of(BLOCKS["tests/halving/reference.py"])
    done = run_suite(course / "source" / "halving" / "checks", links, grade_ids=["numerics"])
    assert [result.outcome.value for result in done.results["numerics"]] == ["passed"]


def transcript(course: Path, links: LinkPair) -> str:
    """Returns what the student reads of the hidden checks."""
    done = run_suite(course / "tests" / "halving", links, grade_ids=list(CHECKS))
    lines = []
    for grade_id in CHECKS:
        lines.append(grade_id)
        for result in done.results[grade_id]:
            lines.append(f"  {result.outcome.value}: {result.title}")
            lines += [f"    {line}" for line in result.message.splitlines()]
            lines += [f"    Hint: {result.hint}"] if result.hint else []
    return "\n".join(lines) + "\n"


def test_transcript_is_what_comes(course: Path, links_of: Callable[[str], LinkPair]) -> None:
    """The document shows exactly what a student with its wrong answer reads."""
    (shown,) = re.findall(r"^```text\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    assert transcript(course, links_of(BLOCKS["a wrong answer"])) == shown


@pytest.mark.parametrize("name", autograder.suite.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    """What `autograder.suite` offers is in the document, and can be imported."""
    assert re.search(rf"`{re.escape(name)}\b", DOCUMENT)
    assert getattr(autograder.suite, name) is not None


@pytest.mark.parametrize(
    ("cls", "spelt"), [(Student, "student"), (Function, "f"), (Program, "program"), (Purity, "purity")]
)
def test_every_method_is_documented(cls: Any, spelt: str) -> None:
    """Every public method and property of what suites handle is in the document."""
    names = [name for name in vars(cls) if not name.startswith("_")]
    assert [name for name in names if f"`{spelt}.{name}" not in DOCUMENT] == []


@pytest.mark.parametrize("mark", MARKS)
def test_every_mark_is_documented(mark: str) -> None:
    """Every mark of the plugin is in the document."""
    assert f"pytest.mark.{mark.partition('(')[0]}(" in DOCUMENT
