"""The documents: their links lead somewhere, and what they list is what there is."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("demo/**/*.md")])
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def _anchors(document: Path) -> set[str]:
    """Returns the anchors of a document's headings, as Markdown readers make them."""
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _broken_links(document: Path, text: str) -> Iterator[str]:
    """Yields the relative links of a text that lead nowhere."""
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text)):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            yield link


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_resolve(document: Path) -> None:
    """Every relative link in a document leads to a file, and every anchor to a heading."""
    assert list(_broken_links(document, document.read_text(encoding="utf-8"))) == []


def test_a_broken_link_is_found() -> None:
    """A link to a missing file or heading is found, and a good one is not."""
    text = "[a](docs/nothing.md) [b](docs/commands.md#nothing) [c](docs/commands.md#exit-codes)"
    assert list(_broken_links(ROOT / "README.md", text)) == ["docs/nothing.md", "docs/commands.md#nothing"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_make_targets_exist(document: Path) -> None:
    """Every `make` target that a document names exists."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^|\$ )make ([a-z][\w-]*)", document.read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= targets


def test_modules_of_the_map_exist() -> None:
    """Every module that docs/architecture.md names exists."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    names = set(re.findall(r"`(autograder(?:\.\w+)+)", text))
    missing = {name for name in names if not _names_something(name)}
    assert missing == set()
    assert not _names_something("autograder.nothing")


def _names_something(dotted: str) -> bool:
    """Whether a dotted name is a package, a module, or a name that one defines."""
    path = ROOT.joinpath(*dotted.split("."))
    if path.is_dir() or path.with_suffix(".py").is_file():
        return True
    module, name = path.parent, path.name
    source = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
    return source.is_file() and re.search(rf"\b{name}\b", source.read_text(encoding="utf-8")) is not None
