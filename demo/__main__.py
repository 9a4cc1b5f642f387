"""`make demo`: releases, hands in a sample class, grades it, writes feedback and shows where everything lies."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from autograder.cli import main as autograder
from autograder.cli.ending import Exit
from autograder.course.layout import Course
from autograder.report import points
from demo.sample import HandIn, hand_in, sample_class, surprises

ROOT = Path(__file__).resolve().parents[1]


def main(
    course: Annotated[
        Path, typer.Option(help="A folder for it; anywhere else than here, the course is copied there.")
    ] = ROOT,
) -> None:
    """Grade the sample class from end to end; what is done already is not done again."""
    console = Console(highlight=False)
    folder = Course(_course_folder(course))
    _run(console, folder, "release")
    handed_in = list(sample_class(folder))
    written = sum(hand_in(folder, one) for one in handed_in)
    there = f", {len(handed_in) - written} lay there already" if written < len(handed_in) else ""
    students = len({one.student for one in handed_in})
    console.print(f"\n[bold]Hand in[/bold]: {written} submissions of {students} students written{there}.")
    _run(console, folder, "grade")
    _run(console, folder, "feedback")
    console.print("\n[bold]Marks[/bold], from the gradebook (* a part of it waits for a person)")
    console.print(_marks(folder, handed_in))
    console.print(_places(folder), soft_wrap=True)
    found = list(surprises(folder, handed_in))
    for sentence in found:
        console.print(f"Not as expected: {sentence}", style="red", markup=False, soft_wrap=True)
    if found:
        raise typer.Exit(1)
    console.print(f"All {len(handed_in)} submissions got exactly what their `expect.toml` says.", style="green")


def _course_folder(wanted: Path) -> Path:
    """Returns the folder to work in, with the course copied into it if it is not this one."""
    if wanted.resolve() != ROOT:
        for name in ("source", "release", "tests"):
            shutil.copytree(ROOT / name, wanted / name, dirs_exist_ok=True)
        shutil.copy(ROOT / "nbgrader_config.py", wanted)
    return wanted.resolve()


def _run(console: Console, course: Course, command: str) -> None:
    console.print(f"\n[bold]$ autograder {command}[/bold]")
    code = autograder(["--course", str(course.root), command])
    if code not in (Exit.DONE, Exit.PERSON):  # some of the class is meant to wait for a person
        sys.exit(code)


def _marks(course: Course, handed_in: list[HandIn]) -> Table:
    """Returns students by assignment, as the gradebook has them."""
    from autograder.gradebook.scores import scores

    found = {(score.student, score.assignment): score for score in scores(course)}
    names = sorted({one.assignment for one in handed_in})
    heads = [name.replace("_", "\n") for name in names]  # eight names side by side are too wide for a terminal
    table = Table("student", *heads, "sum", box=None, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for student in sorted({one.student for one in handed_in}):
        marks = [found.get((student, name)) for name in names]
        cells = [f"{points(mark.score)}{'*' if mark.needs_person else ' '}" if mark else "- " for mark in marks]
        table.add_row(student, *cells, points(sum(mark.score for mark in marks if mark)))
    table.add_section()
    maxima = [course.assignment(name).max_points for name in names]
    table.add_row("can be had", *(f"{points(most)} " for most in maxima), points(sum(maxima)), style="dim")
    return table


def _places(course: Course) -> str:
    """Returns where everything lies."""
    places = {
        "handed in": "submitted/<student>/<assignment>/",
        "gradebook": "gradebook.db",
        "feedback pages": "feedback/<student>/<assignment>/<assignment>.html",
        "graded notebooks": "autograded/<student>/<assignment>/<assignment>.ipynb",
        "evaluations": ".autograder/evaluations/<digest>.json",
    }
    lines = [f"  {what:<17} {where}" for what, where in places.items()]
    return "\n".join([f"\nEverything lies in {course.root}:", *lines])


if __name__ == "__main__":  # worker processes import this module again
    typer.run(main)
