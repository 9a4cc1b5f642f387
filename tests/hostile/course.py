"""The course that hostile submissions are handed in for: the assignment `trial`, in a folder of its own."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.course.layout import Assignment, Course

SUITE = Path(__file__).with_name("trial")

SETUP = "import jax\nimport jax.numpy as jnp\nfrom jax import lax"

RIGHT = {
    "halve": """\
@jax.jit
def halve(x, limit):
    start = (jnp.asarray(x, jnp.float32), jnp.int32(0))
    return lax.while_loop(lambda state: state[0] > limit, lambda state: (state[0] / 2, state[1] + 1), start)
""",
    "halve_in_python": """\
def halve_in_python(x, times):
    for _ in range(times):
        x = x / 2
    return x
""",
    "double": "def double(x):\n    return x + x\n",
}
"""A right answer to each answer cell."""

CHEATED = {
    "halve": "@jax.jit\ndef halve(x, limit):\n    return x - limit, jnp.int32(x > limit)\n",
    "halve_in_python": "def halve_in_python(x, times):\n    return x\n",
    "double": RIGHT["double"],
}
"""What a cheat hands in: two answers that are worth nothing by themselves, and one that is right."""

CHECKS = {"numerics": 2.0, "lowering": 1.0, "compiles": 1.0, "calls": 1.0, "rest": 1.0}
"""Points of each check."""


def make_course(root: Path, *, name: str = "trial", checks: Collection[str] = tuple(CHECKS)) -> Course:
    """Writes a course with one released assignment.

    Args:
        root: Where; made if it is missing.
        name: Name of the assignment.
        checks: Which checks it has.
    """
    left_out = [f"test_{check}.py" for check in CHECKS if check not in checks]
    shutil.copytree(SUITE, root / "tests" / name, ignore=shutil.ignore_patterns("__pycache__", *left_out))
    for place in ("source", "release"):
        (root / place / name).mkdir(parents=True)
        nbformat.write(notebook(dict.fromkeys(RIGHT, ""), checks=checks), root / place / name / f"{name}.ipynb")
    (root / "nbgrader_config.py").write_text(
        "from pathlib import Path\nfrom autograder.gradebook.configure import configure\n"
        "configure(get_config(), Path(__file__).resolve().parent)\n",
        encoding="utf-8",
    )
    return Course(root)


def make_assignment(root: Path) -> Assignment:
    """Writes the course and returns its assignment."""
    return make_course(root).assignment("trial")


def hand_in(course: Course, student: str, data: bytes, *, name: str = "trial") -> Path:
    """Hands in a notebook and returns its folder."""
    folder = course.submitted(name, student)
    folder.mkdir(parents=True)
    (folder / f"{name}.ipynb").write_bytes(data)
    return folder


def notebook(
    answers: Mapping[str, str],
    *,
    start: Sequence[str] = (),
    end: Sequence[str] = (),
    checks: Collection[str] = tuple(CHECKS),
) -> NotebookNode:
    """Returns the assignment's notebook with these answers.

    Args:
        answers: Text by answer cell; an empty text is the stub of the release.
        start: Texts of the student's own cells at the top.
        end: Texts of the student's own cells at the bottom.
        checks: Which grade cells it has.
    """
    cells = [_cell(SETUP, "setup", locked=True)]
    for name in RIGHT:
        stub = f"def {name}(*arguments):\n    raise NotImplementedError\n"
        cells.append(_cell(answers.get(name) or stub, name, solution=True))
    for name in checks:
        cells.append(_cell(f'check("{name}")', name, grade=True, locked=True, points=CHECKS[name]))
    own = [[nbformat.v4.new_code_cell(text) for text in texts] for texts in (start, end)]
    document = nbformat.v4.new_notebook(cells=[*own[0], *cells, *own[1]])
    document.metadata["kernelspec"] = {"name": "python3", "language": "python", "display_name": "Python 3"}
    for number, cell in enumerate(document.cells):
        cell["id"] = f"cell-{number}"
    return document


def as_bytes(document: NotebookNode) -> bytes:
    """Returns a notebook as the file that is handed in."""
    text: str = nbformat.writes(document)
    return text.encode()


def _cell(source: str, grade_id: str, *, points: float | None = None, **flags: bool) -> NotebookNode:
    facts = {"grade_id": grade_id, "schema_version": 3, "task": False}
    facts |= {flag: flags.get(flag, False) for flag in ("grade", "solution", "locked")}
    if points is not None:
        facts["points"] = points
    return nbformat.v4.new_code_cell(source, metadata={"nbgrader": facts})
