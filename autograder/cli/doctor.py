"""`autograder doctor`: what this machine has and lacks."""

from __future__ import annotations

import dataclasses
import json as json_library
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from autograder.cli.app import Settings
from autograder.cli.ending import Exit, stderr, stdout
from autograder.doctor import Requirement, State, probe
from autograder.report import visible

_STYLES = {State.OK: "green", State.DEGRADED: "yellow", State.MISSING: "bold red"}


def run(settings: Settings, *, json: bool) -> Exit:
    """Prints each requirement, its state and its remedy.

    Args:
        settings: Not needed: it is the machine that is looked at.
        json: Print a list of objects.
    """
    with stderr().status("Looking at this machine ..."):
        found = probe()
    if json:
        print(json_library.dumps([dataclasses.asdict(one) for one in found], indent=2))
    else:
        stdout().print(_table(found))
        stdout().print(_verdict(found), soft_wrap=True)
    return Exit.HOST if any(one.state is State.MISSING for one in found) else Exit.DONE


def _table(requirements: Sequence[Requirement]) -> Table:
    table = Table("requirement", "state", "found and remedy", box=None, header_style="bold")
    for one in requirements:
        words = Text(visible(one.found))
        if one.remedy:
            words.append(f"\nTo mend it: {visible(one.remedy)}", style="italic")
        table.add_row(one.name, Text(one.state, style=_STYLES[one.state]), words)
    return table


def _verdict(requirements: Sequence[Requirement]) -> Text:
    states = [one.state for one in requirements]
    if State.MISSING in states:
        return Text("This machine cannot grade before what is missing is there.", style="bold red")
    if State.DEGRADED in states:
        return Text("This machine can grade, with the restrictions above.", style="bold yellow")
    return Text("This machine can grade.", style="bold green")
