"""The threat model names everything that is tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hostile.table import DOCUMENT, MARKER, golden, read_runs, render, tried

NAMES = [name for _, name, _ in tried()]


def test_every_entry_is_in_the_document() -> None:
    """Every entry of the catalogue and every golden cheat has its row, with what came of it in a run."""
    table = DOCUMENT.read_text(encoding="utf-8").partition(MARKER)[2]
    rows = {tuple(line.split("|")[1].split()[:1]): line for line in table.splitlines() if line.startswith("| ")}
    missing = [name for name in NAMES if (name,) not in rows or "not run" in rows[(name,)]]
    missing += [name for _, name, _ in golden() if f"`{name}`" not in table]
    assert not missing, "make test-hostile, then: python -m tests.hostile.table RUN.xml"


def test_names_are_unique() -> None:
    """No two entries have one name."""
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("ending", ["", "<failure>no</failure>"])
def test_only_what_passed_counts(tmp_path: Path, ending: str) -> None:
    """What came of a test that failed is not in the table."""
    properties = '<properties><property name="a" value="0 of 6"/></properties>'
    (tmp_path / "run.xml").write_text(f"<testsuites><testcase>{properties}{ending}</testcase></testsuites>")
    came = read_runs([tmp_path / "run.xml"])
    assert came == ({} if ending else {"a": ("0 of 6",)})
    assert ("| a | 0 of 6 |" in render(came)) is not bool(ending)
