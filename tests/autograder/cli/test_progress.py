"""How far a batch is, on a terminal and elsewhere."""

import io

from rich.console import Console

from autograder.cli.progress import Watch, watching


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Returns the time."""
        return self.now


def _console(*, terminal: bool) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=100, color_system=None)


def _printed(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_line_at_each_tenth() -> None:
    """Without a terminal a line at each tenth says how much is done, how fast, and how long the rest will take."""
    console, clock = _console(terminal=False), Clock()
    watch = Watch(console, 40, clock=clock)
    for _ in range(20):
        watch.step(worked=False)  # what is skipped counts for nothing
    for _ in range(20):
        clock.now += 30.0
        watch.step(worked=True)
    lines = _printed(console).splitlines()
    assert lines[0] == "2 of 20 done, 2/min, about 9 min left."
    assert lines[-2:] == ["18 of 20 done, 2/min, about 60 s left.", "20 of 20 done."]
    assert len(lines) == 10


def test_a_fast_batch() -> None:
    """From one submission a second on, the rate is told by the second."""
    console, clock = _console(terminal=False), Clock()
    watch = Watch(console, 1000, clock=clock)
    clock.now = 20.0
    for _ in range(100):
        watch.step(worked=True)
    assert _printed(console) == "100 of 1000 done, 5.0/s, about 3 min left.\n"


def test_a_few_submissions_are_no_news() -> None:
    """Without a terminal nothing is said of a batch that is soon at its end."""
    console = _console(terminal=False)
    with watching(console, 3) as watch:
        for _ in range(3):
            watch.step(worked=True)
    assert _printed(console) == ""


def test_a_bar_on_a_terminal() -> None:
    """On a terminal a bar counts what there is to do, without what is left as it is."""
    console = _console(terminal=True)
    with watching(console, 4) as watch:
        watch.step(worked=False)
        watch.step(worked=True)
        assert watch.bar is not None
        (task,) = watch.bar.tasks
        assert (task.completed, task.total) == (1, 3)
    assert "Grading" in _printed(console)
