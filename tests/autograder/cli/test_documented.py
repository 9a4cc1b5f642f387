"""docs/commands.md names every command, option and exit code that there is, and none that there is not."""

import re
from pathlib import Path

import pytest
import typer

from autograder.cli import app
from autograder.cli.ending import Exit

PAGE = (Path(__file__).parents[3] / "docs" / "commands.md").read_text(encoding="utf-8")
GROUP = typer.main.get_command(app)
COMMANDS = dict(GROUP.commands)  # type: ignore[attr-defined]


def _section(name: str) -> str:
    """Returns what the page says of a command; what stands before the first section for the empty name."""
    sections = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return dict(zip(["", *sections[1::2]], sections[0::2], strict=True))[name]


def _options(command: object) -> set[str]:
    flags = {flag for parameter in command.params for flag in parameter.opts}  # type: ignore[attr-defined]
    return {flag for flag in flags if flag.startswith("--")} - {"--help"}


def _documented(section: str) -> set[str]:
    """Returns the options in the first column of a section's table."""
    return set(re.findall(r"^\| `(--[\w-]+)", section, re.MULTILINE))


def test_every_command_has_its_section() -> None:
    """Every command has a section of its own name, and every section but the last belongs to a command."""
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE) == [*COMMANDS, "Exit codes"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_its_row(name: str) -> None:
    """The table of a command lists its options and no others."""
    assert _documented(_section(name)) == _options(COMMANDS[name])


def test_every_global_option_has_its_row() -> None:
    """The first table lists the options that stand before a command."""
    assert _documented(_section("")) == _options(GROUP)


def test_every_exit_code_has_its_row() -> None:
    """The last table lists the exit codes and no others."""
    codes = re.findall(r"^\| (\d+) \|", _section("Exit codes"), re.MULTILINE)
    assert [int(code) for code in codes] == [*Exit]


def test_an_undocumented_option_is_found() -> None:
    """An option that is missing from a table is seen to be missing."""
    assert "--workers" not in _documented(_section("grade").replace("| `--workers", "| "))
