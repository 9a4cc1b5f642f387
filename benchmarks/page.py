"""Writes the tables of `docs/performance.md` from the last results, between its two markers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_BEGIN, _END = "<!-- results: made by `make bench` -->", "<!-- end of results -->"

_PLOT = "![CPU seconds of a submission by stock nbgrader and by ours, and how a class grows](performance.svg)"


def write_page(results: dict[str, Any], page: Path) -> None:
    """Replaces what stands between the markers."""
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    after = rest.partition(_END)[2]
    page.write_text(f"{before}{_BEGIN}\n\n{tables(results)}\n\n{_END}{after}", encoding="utf-8")


def tables(results: dict[str, Any]) -> str:
    """Returns all tables as Markdown."""
    machine = results["machine"]
    parts = [
        f"Python {machine['python']}, JAX {machine['jax']}, nbgrader {machine['nbgrader']}, {machine['cores']} cores; "
        f"{', '.join(results['assignments'])}; medians, and the least and the most of all rounds."
    ]
    if results["cpu_ratio_vs_nbgrader"] is None:
        parts.append("CPU time was not counted by control groups: what nobody waits for is missing, most of it ours.")
    for label, mix in (results["mixes"] | results["bare"]).items():
        lines = [
            f"**{label.capitalize()}** ({mix['submissions']} submissions): {mix['speedup']['median']:.1f} times the "
            f"submissions per second ({_range(mix['speedup'], 1)}), {mix['cpu_ratio']['median']:.2f} of the CPU time "
            f"({_range(mix['cpu_ratio'], 2)}).",
            "",
            "| grader | submissions per second | wall s each | CPU s each | peak MiB |",
            "|---|---|---|---|---|",
        ]
        for name, grader in mix["graders"].items():
            cells = [_cell(grader[key], digits) for key, digits in (("submissions_per_s", 2), ("wall_s_each", 2))]
            cells += [_cell(grader["cpu_s_each"], 2), _cell(grader["peak_mb"], 0)]
            lines.append(f"| {name} | {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    if results["growth"]:
        parts.append(
            "\n".join(
                ["| submissions | s each | CPU s each | peak MiB |", "|---|---|---|---|"]
                + [
                    f"| {one['students']} | {one['wall_s'] / one['students']:.2f} | "
                    f"{one['cpu_s'] / one['students']:.2f} | {one['peak_mb']:.0f} |"
                    for one in results["growth"]
                ]
            )
        )
    parts += [_stages(name, stages) for name, stages in results["stages"].items()]
    parts.append(_PLOT)
    return "\n\n".join(parts)


def _stages(name: str, stages: dict[str, Any]) -> str:
    """Returns where one evaluation's CPU time goes, beside what XLA alone takes."""
    floors = stages["floor"]
    rows = {stage: one for stage, one in stages.items() if stage != "floor"}
    lines = [
        f"`{name}`, milliseconds of CPU time, and what XLA takes for its compilations alone, by the wall:",
        "",
        "| stage | times | grader | boxes | compiles | XLA alone |",
        "|---|---|---|---|---|---|",
    ]
    for stage, one in sorted(rows.items(), key=lambda row: -(row[1]["grader"] + row[1]["boxes"])):
        least = floors.get(stage)
        floor = f"{least['compiles']} | {least['ms']:.0f}" if least else " | "
        lines.append(f"| {stage} | {one['times']} | {one['grader']:.1f} | {one['boxes']:.1f} | {floor} |")
    grader, boxes = (sum(one[key] for one in rows.values()) for key in ("grader", "boxes"))
    compiles, xla = (sum(one[key] for one in floors.values()) for key in ("compiles", "ms"))
    lines.append(f"| together | | {grader:.0f} | {boxes:.0f} | {compiles} | {xla:.0f} |")
    return "\n".join(lines)


def _cell(spread: dict[str, float], digits: int) -> str:
    return f"{spread['median']:.{digits}f} ({_range(spread, digits)})"


def _range(spread: dict[str, float], digits: int) -> str:
    return f"{spread['least']:.{digits}f} to {spread['most']:.{digits}f}"
