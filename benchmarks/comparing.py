"""What rounds of grading come to: submissions per second, CPU seconds each, and the ratios to stock nbgrader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from benchmarks.measuring import Cost


@dataclass(frozen=True, slots=True)
class Round:
    """One class, graded by stock nbgrader and right after that by ours.

    Attributes:
        submissions: How many.
        load: Load average of the machine before; ratios mean little above the number of cores.
        stock: What stock nbgrader took.
        ours: What ours took, by number of workers.
    """

    submissions: int
    load: float
    stock: Cost
    ours: Mapping[str, Cost]

    @property
    def best(self) -> Cost:
        """Ours with the most workers, which is the default."""
        return self.ours[max(self.ours, key=int)]

    @property
    def speedup(self) -> float:
        """How many times the submissions per second."""
        return self.stock.wall_s / self.best.wall_s

    @property
    def cpu_ratio(self) -> float:
        """Which part of the CPU time."""
        return self.best.cpu_s / self.stock.cpu_s

    @property
    def counted(self) -> bool:
        """Whether control groups counted all CPU time."""
        return all(cost.counted_by == "cgroup" for cost in (self.stock, *self.ours.values()))

    def __str__(self) -> str:
        each = {"stock": self.stock, **{f"ours, {workers} workers": cost for workers, cost in self.ours.items()}}
        number = self.submissions
        parts = [
            f"{name} {cost.wall_s / number:.2f} s, {cost.cpu_s / number:.2f} CPU s, {cost.peak_mb:.0f} MiB"
            for name, cost in each.items()
        ]
        return f"{'; '.join(parts)}; {self.speedup:.1f} times, {self.cpu_ratio:.2f} of the CPU (load {self.load:.1f})"


def summary(mixes: Mapping[str, Sequence[Round]]) -> dict[str, Any]:
    """Returns everything as JSON; the two ratios at the top are those of the mix in which ours does worse.

    There is no ratio of CPU time where no control group counted it: what nobody waits for, as our zygote, is missed.
    """
    counted = all(one.counted for rounds in mixes.values() for one in rounds)
    by_mix = {label: _mix(rounds) for label, rounds in mixes.items()}
    return {
        "speedup_vs_nbgrader": min(mix["speedup"]["median"] for mix in by_mix.values()),
        "cpu_ratio_vs_nbgrader": max(mix["cpu_ratio"]["median"] for mix in by_mix.values()) if counted else None,
        "mixes": by_mix,
    }


def _mix(rounds: Sequence[Round]) -> dict[str, Any]:
    number = rounds[0].submissions
    graders = {"stock": [one.stock for one in rounds]}
    graders |= {f"ours, {workers} workers": [one.ours[workers] for one in rounds] for workers in rounds[0].ours}
    return {
        "submissions": number,
        "speedup": _spread([one.speedup for one in rounds]),
        "cpu_ratio": _spread([one.cpu_ratio for one in rounds]),
        "graders": {
            name: {
                "submissions_per_s": _spread([number / cost.wall_s for cost in costs]),
                "wall_s_each": _spread([cost.wall_s / number for cost in costs]),
                "cpu_s_each": _spread([cost.cpu_s / number for cost in costs]),
                "peak_mb": _spread([cost.peak_mb for cost in costs]),
            }
            for name, costs in graders.items()
        },
        "rounds": [asdict(one) for one in rounds],
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {"median": median(values), "least": min(values), "most": max(values)}
