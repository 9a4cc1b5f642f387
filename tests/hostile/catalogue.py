"""The catalogue: every cheat, fault and hardship that is tried, as data, with what must come of it.

Files of `entries/` hold one table for each entry:

```toml
[swallowed_interrupt]
kind = "hang"               # may be left out where the whole file is of one kind
tries = "A cell swallows every KeyboardInterrupt."
start = "..."               # a cell at the top
halve = "..."               # text of an answer cell; so halve_in_python and double
artifact = "..."            # StableHLO that the kernel sends in place of what `halve` was exported as
end = "..."                 # a cell at the bottom
more = ["...", "..."]       # further cells at the bottom
files = { "conftest.py" = "..." }     # what lies beside the notebook
checks = { calls = "failed" }         # outcome by check, where it is not the kind's own; a list where several will do
causes = ["wall"]           # every limit that is hit is one of these, and one is; "" where none may be hit as well
gains = { why = "..." }     # a check that passes though its answer is wrong: it is in the threat model
sabotages = true            # breaks what runs cells, so that its own may fail
quick = true                # `make test` tries it too
alone = { why = "..." }     # why more fails, or is left open, than the attempt itself
```
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.records import Outcome
from tests.hostile.course import CHEATED, CHECKS, RIGHT, notebook

FOLDER = Path(__file__).with_name("entries")

KINDS = {
    "cheat": "Cheating gains nothing",
    "hang": "Nothing hangs",
    "flood": "Nothing floods",
    "crash": "A crash costs what it touches",
    "merit": "Noise costs no mark",
}
"""Kinds of entries, as they are headed in the threat model."""

OUTCOMES = {
    "cheat": {"numerics": "failed", "lowering": "failed", "compiles": "passed", "calls": "failed", "rest": "passed"},
}
"""Outcomes by kind; of all others every check passes."""

FORGE = """
import dataclasses
from jax import export
from jax._src.interpreters.mlir import make_ir_context
from jax.extend.mlir import ir
from autograder.program.module import portable

def forge(text):
    if text == "bytes":
        return (24).to_bytes(4, "little") + bytes(range(256)) * 20
    float32 = jax.ShapeDtypeStruct((), "float32")
    honest = export.export(jax.jit(lambda x, y: (x + y, jnp.int32(1))))(float32, float32)
    with make_ir_context():
        code = portable(ir.Module.parse(text))
    return bytes(dataclasses.replace(honest, mlir_module_serialized=code).serialize())

class Forger:
    def __init__(self, agent, artifact):
        self.agent, self.artifact = agent, artifact
    def handle(self, content, buffers):
        answer, written = self.agent.handle(content, buffers)
        if content.get("op") == "export" and content.get("name") == "halve":
            written = [self.artifact]
        return answer, written

kernel = get_ipython().kernel
kernel.agent = Forger(kernel.agent, forge({artifact!r}))
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is tried.

    Attributes:
        name: Unique among all entries.
        kind: A key of `KINDS`.
        tries: One sentence on what is tried.
        checks: Outcomes that will do, by check.
        causes: Causes of limits that may be hit; an empty string among them where none need be.
        document: The notebook that is handed in.
        files: Texts of the files beside it, by name.
        sabotages: Whether it breaks what runs cells, so that its own may fail; of others that would prove nothing.
        quick: Whether `make test` tries it too.
        note: Why something is lost or gained all the same; may be empty.
    """

    name: str
    kind: str
    tries: str
    checks: Mapping[str, frozenset[Outcome]]
    causes: frozenset[str]
    document: NotebookNode
    files: Mapping[str, str] = field(default_factory=dict)
    sabotages: bool = False
    quick: bool = False
    note: str = ""


def entries() -> tuple[Entry, ...]:
    """Reads the whole catalogue, by kind and in the order of the files."""
    found = [
        _entry(name, table, default=path.stem)
        for path in sorted(FOLDER.glob("*.toml"))
        for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items()
    ]
    return tuple(sorted(found, key=lambda entry: list(KINDS).index(entry.kind)))


def _entry(name: str, table: dict[str, Any], *, default: str) -> Entry:
    kind = table.pop("kind", default)
    answers = {answer: table.pop(answer, text) for answer, text in (CHEATED if kind == "cheat" else RIGHT).items()}
    wanted = {**dict.fromkeys(CHECKS, "passed"), **OUTCOMES.get(kind, {}), **table.pop("checks", {})}
    start = [table.pop("start")] if "start" in table else []
    end = [table.pop("end")] if "end" in table else []
    if "artifact" in table:
        end.append(FORGE.replace("{artifact!r}", repr(table.pop("artifact"))))
    entry = Entry(
        name=name,
        kind=kind,
        tries=table.pop("tries"),
        checks={check: _outcomes(wanted.pop(check)) for check in CHECKS},
        causes=frozenset(table.pop("causes", [""])),
        document=notebook(answers, start=start, end=[*end, *table.pop("more", [])]),
        files=table.pop("files", {}),
        sabotages=table.pop("sabotages", False),
        quick=table.pop("quick", False),
        note=table.pop("gains", {}).get("why", "") or table.pop("alone", {}).get("why", ""),
    )
    assert not table, f"{name}: unknown keys {sorted(table)}"
    assert not wanted, f"{name}: unknown checks {sorted(wanted)}"
    return entry


def _outcomes(value: str | list[str]) -> frozenset[Outcome]:
    return frozenset(map(Outcome, [value] if isinstance(value, str) else value))
