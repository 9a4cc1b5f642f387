"""`python -m benchmarks`: grades one class by stock nbgrader and by ours in alternation, and writes what each took."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from autograder.batch.running import cores
from benchmarks import ours, stock
from benchmarks.comparing import Round, summary
from benchmarks.measuring import Cost
from benchmarks.page import write_page
from benchmarks.plot import draw
from benchmarks.sample import MIXES, sample

ROOT = Path(__file__).resolve().parents[1]
CALM, ENDLESS = "without endless loops", "with endless loops"
BARE = "without endless loops, and for stock nbgrader without demonstrations"
_STOCK_S, _OURS_S, _STOCK_HANG_S, _OURS_HANG_S = 2.2, 0.4, 45.0, 10.0
"""What to expect, in seconds: a notebook by either, and one that never ends."""


def main(
    students: Annotated[int, typer.Option(help="Students in the class; every twentieth may hang.")] = 20,
    rounds: Annotated[int, typer.Option(help="How often each is graded, in alternation.")] = 3,
    assignment: Annotated[list[str] | None, typer.Option(help="Assignments of the class.")] = None,
    growth: Annotated[
        str, typer.Option(help="Sizes of classes that ours alone grades, such as 10,100,1000.")
    ] = "10,100",
    bare: Annotated[bool, typer.Option(help="Compare with notebooks without demonstrations as well, once.")] = True,
    stages: Annotated[bool, typer.Option(help="Measure the stages of one evaluation as well.")] = True,
    output: Annotated[Path, typer.Option(help="Where the numbers go.")] = ROOT / "benchmarks" / "results.json",
) -> None:
    """Compare with stock nbgrader; by default about a quarter of an hour on two cores."""
    names = tuple(assignment or MIXES)
    sizes = [int(size) for size in growth.split(",") if size]
    print(_forecast(names, students, rounds, sizes), flush=True)
    with tempfile.TemporaryDirectory(prefix="autograder-bench-") as scratch:
        folder = Path(scratch)
        mixes = {label: _compare(folder, names, students, rounds, label=label) for label in (CALM, ENDLESS)}
        results: dict[str, Any] = {
            **summary(mixes),
            "bare": summary({BARE: _compare(folder, names, students, 1, label=BARE)})["mixes"] if bare else {},
            "machine": _machine(),
            "students": students,
            "assignments": names,
            "growth": [_grow(folder, names[:1], size) for size in sizes],
            "stages": {},
        }
        _write(results, output)
        if stages:
            results["stages"] = _stages(folder)
            _write(results, output)
    speedup, ratio = results["speedup_vs_nbgrader"], results["cpu_ratio_vs_nbgrader"]
    cpu = "CPU time could not be counted" if ratio is None else f"for {ratio:.2f} of its CPU time"
    print(f"{speedup:.1f} times the submissions per second of stock nbgrader, {cpu}; {output}")


def _write(results: dict[str, Any], output: Path) -> None:
    """Writes the numbers, and where they are the project's own the page and the plot."""
    output.write_text(json.dumps(results, indent=1) + "\n")
    if output.parent == ROOT / "benchmarks":
        draw(results, ROOT / "docs" / "performance.svg")
        write_page(results, ROOT / "docs" / "performance.md")


def _compare(folder: Path, names: tuple[str, ...], students: int, rounds: int, *, label: str) -> list[Round]:
    """Grades one class by both, again and again."""
    class_ = list(sample(names, students, endless=label == ENDLESS))
    end = sum(one.case != MIXES[one.assignment][1] for one in class_)
    stock.prepare(ROOT, folder / "stock", names, class_, bare=label == BARE)
    ours.prepare(ROOT, folder / "ours", names, class_)
    found = []
    for number in range(rounds):
        load = os.getloadavg()[0]
        theirs = stock.grade(folder / "stock", names)
        by_workers = {str(workers): ours.grade(folder / "ours", workers=workers) for workers in sorted({1, cores()})}
        if (done := stock.graded(folder / "stock")) < end:
            raise SystemExit(f"Stock nbgrader graded {done} of {len(class_)} submissions; {end} come to an end.")
        done = len(list((folder / "ours" / "autograded").glob("*/*/*.ipynb")))
        if done != len(class_):
            raise SystemExit(f"Ours recorded {done} of {len(class_)} submissions.")
        one = Round(len(class_), load, theirs, by_workers)
        found.append(one)
        print(f"  round {number + 1}, {label}: {one}", flush=True)
    return found


def _grow(folder: Path, names: tuple[str, ...], size: int) -> dict[str, Any]:
    class_ = list(sample(names, size, endless=False))
    ours.prepare(ROOT, folder / "growing", names, class_)
    cost: Cost = ours.grade(folder / "growing", workers=cores())
    shutil.rmtree(folder / "growing")
    print(f"  a class of {size}: {cost.wall_s / size:.2f} s and {cost.cpu_s / size:.2f} CPU s each", flush=True)
    return {"students": size, "wall_s": cost.wall_s, "cpu_s": cost.cpu_s, "peak_mb": cost.peak_mb}


def _stages(folder: Path) -> dict[str, Any]:
    written = folder / "stages.json"
    subprocess.run([sys.executable, "-m", "benchmarks.stages", "--json", str(written)], cwd=ROOT, check=True)
    found: dict[str, Any] = json.loads(written.read_text())
    return found


def _machine() -> dict[str, Any]:
    versions = {name: version(name) for name in ("jax", "jaxlib", "nbgrader", "nbclient")}
    return {"cores": cores(), "python": platform.python_version(), "system": platform.system(), **versions}


def _forecast(names: tuple[str, ...], students: int, rounds: int, sizes: list[int]) -> str:
    number = students * len(names)
    hangs = students // 20 * len(names)
    one = number * 2 * (_STOCK_S + 2 * _OURS_S) + hangs * (_STOCK_HANG_S + 2 * _OURS_HANG_S)
    minutes = (rounds * one + sum(sizes) * _OURS_S + 120) / 60
    return (
        f"Grading {number} submissions by both, {rounds} times without and with endless loops: {minutes:.0f} minutes."
    )


if __name__ == "__main__":  # worker processes import this module again
    typer.run(main)
