"""Draws the last results: what a submission costs by either grader, and how a class grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def draw(results: dict[str, Any], path: Path) -> None:
    """Draws two charts side by side, both from zero, with the least and the most of all rounds as error bars."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "autograder", "svg.fonttype": "none"}
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    width = 0.8 / max(len(mix["graders"]) for mix in results["mixes"].values())
    for place, mix in enumerate(results["mixes"].values()):
        for number, (name, grader) in enumerate(mix["graders"].items()):
            cpu = grader["cpu_s_each"]
            error = [[cpu["median"] - cpu["least"]], [cpu["most"] - cpu["median"]]]
            label = name if place == 0 else None
            left.bar(
                place + number * width, cpu["median"], width, yerr=error, color=f"C{number}", label=label, capsize=3
            )
    left.set_xticks([place + width for place in range(len(results["mixes"]))], list(results["mixes"]))
    left.set_ylabel("CPU seconds a submission")
    left.legend(frameon=False)
    sizes = [each["students"] for each in results["growth"]]
    right.plot(sizes, [each["wall_s"] for each in results["growth"]], "o-", label="seconds in all")
    right.plot(sizes, [each["peak_mb"] / 10 for each in results["growth"]], "s--", label="peak memory, 10 MiB")
    right.set_xlabel("submissions")
    right.set_xlim(left=0)
    right.set_ylim(bottom=0)
    right.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
