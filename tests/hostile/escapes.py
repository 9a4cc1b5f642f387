"""The attacks of a box on its sibling, on what started it and on the host, as data.

Files of `attacks/` hold one table for each:

```toml
[io_uring]
tries = "Makes an io_uring."        # one sentence
code = "..."                        # a cell that runs in the attacker's box, after `attacks/prelude.py`
control = "anyone"                  # who gains by it where nothing confines the attacker: `anyone`, `root`; else nobody
quick = true                        # `make test` tries it too
spoils = true                       # the attacker's own box is of no use afterwards
```
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).with_name("attacks")


@dataclass(frozen=True, slots=True)
class Escape:
    """One attack.

    Attributes:
        name: Unique among all.
        tries: One sentence on what is tried.
        code: What is run in the attacker's box.
        control: Who gains by it without a sandbox, which proves that it is an attack: `anyone`, `root` alone, or
            nobody who may try it without harm to the machine.
        quick: Whether `make test` tries it too.
        spoils: Whether the attacker's own box is of no use afterwards.
    """

    name: str
    tries: str
    code: str
    control: Literal["anyone", "root", "nobody"] = "nobody"
    quick: bool = False
    spoils: bool = False


def escapes() -> tuple[Escape, ...]:
    """Reads all of them."""
    return tuple(
        Escape(name, **table)
        for path in sorted(FOLDER.glob("*.toml"))
        for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items()
    )
