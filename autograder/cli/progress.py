"""How far a batch is: a bar on a terminal, elsewhere a line at each tenth of the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

FEWEST = 10
"""Submissions from which on lines are printed where there is no terminal."""


@dataclass(slots=True)
class Watch:
    """What is told of the work.

    Attributes:
        console: Where it is told.
        total: Submissions that there are to work on, without those that are left as they are.
        done: Submissions that were worked on.
        bar: The bar on a terminal; `None` elsewhere.
        clock: Seconds that pass.
        began: When the work began, by the clock.
    """

    console: Console
    total: int
    done: int = 0
    bar: Progress | None = None
    clock: Callable[[], float] = time.monotonic
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.clock()

    def say(self, words: Text) -> None:
        """Prints words, above the bar if there is one."""
        self.console.print(words, soft_wrap=True)

    def step(self, *, worked: bool) -> None:
        """Notes that one submission is done with.

        Args:
            worked: Whether there was anything to do: what is left as it is says nothing about how fast the rest goes.
        """
        before = self._tenths()
        if worked:
            self.done += 1
        else:
            self.total -= 1
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], advance=float(worked), total=self.total)
        elif worked and self.total >= FEWEST and self._tenths() > before:
            self.say(Text(self._line()))

    def _tenths(self) -> int:
        return 10 * self.done // max(self.total, 1)

    def _line(self) -> str:
        passed, left = self.clock() - self.began, self.total - self.done
        said = f"{self.done} of {self.total} done"
        if not left or passed <= 0:
            return f"{said}."
        rate = self.done / passed
        return f"{said}, {_rate(rate)}, about {_duration(left / rate)} left."


@contextmanager
def watching(console: Console, total: int) -> Iterator[Watch]:
    """Shows how far the work is while it goes on.

    Args:
        console: Where to show it; a terminal gets a bar.
        total: How many submissions there are.
    """
    if not console.is_terminal:
        yield Watch(console, total)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        bar.add_task("Grading", total=total)
        yield Watch(console, total, bar=bar)


class _Rate(ProgressColumn):
    """How fast it goes, once there is something to divide."""

    def render(self, task: Task) -> Text:
        return Text(_rate(task.speed) if task.speed else "", style="progress.data.speed")


def _rate(a_second: float) -> str:
    return f"{a_second:.1f}/s" if a_second >= 1 else f"{60 * a_second:.0f}/min"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
