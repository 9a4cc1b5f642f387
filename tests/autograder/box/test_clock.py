"""A fair clock counts what a box had, and a box is read as a whole."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from autograder.box.clock import PATIENCE, FairClock, cpu_seconds


class Machine:
    """A machine that gives a box this share of a core, or of several."""

    def __init__(self) -> None:
        self.wall = self.cpu = 0.0

    def run(self, clock: FairClock, *, share: float, limit_s: float = 10.0) -> float:
        """Waits until the limit is reached; returns the wall seconds."""
        while not clock.late(limit_s):
            pause = clock.pause(limit_s)
            self.wall += pause
            self.cpu += share * pause
            clock.read()
        return self.wall


@pytest.mark.parametrize(("share", "least", "most"), [(1.0, 10, 10.3), (2.0, 10, 10.3), (0.5, 19, 20), (0.25, 37, 41)])
def test_time_without_a_core_counts_for_nothing(share: float, least: float, most: float) -> None:
    """A box that computes has the limit in CPU time, however slowly a busy machine gives it; more cores are no less."""
    machine = Machine()
    clock = FairClock(lambda: machine.cpu, now=lambda: machine.wall)
    assert least <= machine.run(clock, share=share) <= most


@pytest.mark.parametrize("share", [0.0, 0.01])
def test_waiting_counts_whole(share: float) -> None:
    """A box that sleeps or is locked has the limit by the wall."""
    machine = Machine()
    clock = FairClock(lambda: machine.cpu, now=lambda: machine.wall)
    assert machine.run(clock, share=share) < 10.3


def test_patience_ends() -> None:
    """A box that computes only now and then ends at a multiple of the limit."""
    machine = Machine()
    clock = FairClock(lambda: machine.cpu, now=lambda: machine.wall)
    assert machine.run(clock, share=0.06) == pytest.approx(10 * PATIENCE, abs=1.0)


def test_a_reading_that_fell_counts_as_waiting() -> None:
    """CPU time that nobody waited for is gone from the sum; the clock goes by the wall then."""
    told, wall = iter([5.0, 3.0]), iter([0.0, 1.0, 2.0])
    clock = FairClock(lambda: next(told), now=lambda: next(wall))
    clock.read()
    clock.read()
    assert clock.seconds == 2.0


def test_an_answer_that_comes_soon_costs_no_reading() -> None:
    """Between two readings the wall counts."""
    wall = iter([0.0, 0.2])
    clock = FairClock(lambda: pytest.fail("It was read."), now=lambda: next(wall))
    clock.stop()
    assert clock.seconds == 0.2


def test_children_count() -> None:
    """CPU time of processes below, from any thread, alive or ended, is the box's."""
    burn = "import time; t = time.process_time()\nwhile time.process_time() < t + 0.3: pass\n"
    stay = f"{burn}print(flush=True); input()"
    script = f"""
import subprocess, sys, threading
def start():
    subprocess.run([sys.executable, "-S", "-c", {burn!r}])
    global child
    child = subprocess.Popen([sys.executable, "-S", "-c", {stay!r}], stdin=subprocess.PIPE)
thread = threading.Thread(target=start)
thread.start()
thread.join()
input()
"""
    with subprocess.Popen(
        [sys.executable, "-S", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        descriptor = os.pidfd_open(process.pid)
        process.stdout.readline()
        assert cpu_seconds(descriptor) >= 0.5
        process.stdin.close()
        process.wait()
    assert cpu_seconds(descriptor) == 0.0
    os.close(descriptor)
