"""Writes the table of `docs/threat-model.md` from the catalogue and from what came of it in real runs.

`python -m tests.hostile.table RUN.xml ...` takes the JUnit files of one or more runs of the tier (`make test-hostile`
writes one) and replaces what stands below the marker in the document.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from autograder.course.golden import load_cases
from tests.hostile.broken import broken
from tests.hostile.catalogue import KINDS, entries
from tests.hostile.escapes import escapes

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "threat-model.md"
MARKER = "<!-- Written by `python -m tests.hostile.table`; what stands below is replaced. -->"


def tried() -> Iterator[tuple[str, str, str]]:
    """Yields heading, name and sentence of all that is tried in the catalogue."""
    for entry in entries():
        yield KINDS[entry.kind], entry.name, f"{entry.tries} {f'({entry.note})' if entry.note else ''}".strip()
    for each in broken():
        yield "Broken on its way", each.name, each.tries
    for attack in escapes():
        yield "Nothing gets out of a box", attack.name, attack.tries


def golden() -> Iterator[tuple[str, str, str]]:
    """Yields assignment, name and sentence of the golden submissions that cheat or are broken."""
    for folder in sorted(ROOT.glob("tests/*/submissions")):
        for case in load_cases(folder):
            if case.kind in ("cheating", "broken"):
                yield folder.parent.name, case.name, case.why


def read_runs(paths: Iterable[Path]) -> Mapping[str, tuple[str, ...]]:
    """Returns what came of each thing that was tried, by name: each different ending once.

    Args:
        paths: JUnit files; only tests that passed in them count.
    """
    came: dict[str, list[str]] = {}
    for path in paths:
        for case in ElementTree.parse(path).iter("testcase"):
            if case.find("failure") is None and case.find("error") is None:
                for found in case.iter("property"):
                    endings = came.setdefault(found.attrib["name"], [])
                    if found.attrib["value"] not in endings:
                        endings.append(found.attrib["value"])
    return {name: tuple(endings) for name, endings in came.items()}


def render(came: Mapping[str, tuple[str, ...]]) -> str:
    """Returns the tables as Markdown.

    Args:
        came: What came of each, by name.
    """
    lines: list[str] = []
    heading = ""
    names = set()
    for title, name, sentence in tried():
        names.add(name)
        if title != heading:
            heading = title
            lines += ["", f"### {title}", "", "| | what is tried | what came of it |", "|---|---|---|"]
        lines.append(_row(name, sentence, " / ".join(came.get(name, ("not run",)))))
    lines += ["", "### Everything else", "", "| what is tried | what came of it |", "|---|---|"]
    lines += [f"| {_cell(name)} | {_cell(' / '.join(came[name]))} |" for name in sorted(set(came) - names)]
    lines += ["", "### Golden submissions", "", "Each ends exactly as its `expect.toml` says.", ""]
    lines += ["| assignment | | what is tried |", "|---|---|---|"]
    lines += [_row(assignment, f"`{name}`", why) for assignment, name, why in golden()]
    return "\n".join(lines).strip() + "\n"


def _row(name: str, *cells: str) -> str:
    return f"| {name} | {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def main(*paths: str) -> None:
    """Replaces the tables in the document."""
    head = DOCUMENT.read_text(encoding="utf-8").partition(MARKER)[0]
    DOCUMENT.write_text(f"{head}{MARKER}\n\n{render(read_runs(map(Path, paths)))}", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
