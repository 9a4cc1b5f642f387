"""A verdict names the cause of an end, from what the operating system tells."""

from __future__ import annotations

import pytest

from autograder.box.policy import Limits
from autograder.box.verdict import Cause, End, Usage, judge, verdict_of


def end(returncode: int, *, cpu_s: float = 1.0, oom_kills: int = 0) -> End:
    """An end with that exit status."""
    return End(returncode, Usage(cpu_s=cpu_s, peak_mb=100.0), oom_kills)


@pytest.mark.parametrize(
    ("ended", "hosts"),
    [
        (End(-9, Usage(1.0, 500.0), 1, 500.0), True),
        (End(-9, Usage(1.0, 1990.0), 1, 1990.0), False),
        (End(-9, Usage(1.0, 500.0), 1), False),  # 500 MiB are those of the largest process
        (End(-9, Usage(1.0, 500.0), 0, 500.0), False),
        (End(-9, Usage(1.0, 500.0), with_zygote=True), True),
    ],
)
def test_what_the_host_ended_is_no_limit_of_the_box(ended: End, hosts: bool) -> None:
    """A process that the kernel kills for memory in a group far below its limit, or with the zygote, is the host's."""
    assert bool(ended.of_host(Limits(memory_mb=2048))) is hosts


@pytest.mark.parametrize(
    ("ended", "cause"),
    [
        (end(0), "exit"),
        (end(3), "exit"),
        (end(255), "exit"),
        (end(-11), "crash"),
        (end(128 + 11), "crash"),
        (end(128 + 6), "crash"),
        (end(128 + 9), "crash"),
        (end(128 + 9, oom_kills=1), "memory"),
        (end(128 + 9, cpu_s=10.0), "cpu"),
        (end(-9, cpu_s=8.0), "cpu"),
        (end(-9, cpu_s=5.0), "crash"),
        (end(-24), "cpu"),
        (end(1, oom_kills=2), "memory"),
    ],
)
def test_cause_of_an_end(ended: End, cause: Cause) -> None:
    """A signal is a crash, unless a limit sent it; everything else is an exit."""
    assert judge(ended, Limits(cpu_s=10)).cause == cause


def test_sentences_name_the_limit() -> None:
    """The sentence for the student names the limit that was hit, and the signal or the status of an end."""
    limits = Limits(cpu_s=17, memory_mb=1234, output_mb=9)

    assert "17 seconds" in verdict_of("cpu", limits).message
    assert "1234 MiB" in verdict_of("memory", limits).message
    assert "9 MiB" in verdict_of("output", limits).message
    assert "SIGSEGV" in judge(end(139), limits).message
    assert "exit status 3" in judge(end(3), limits).message
