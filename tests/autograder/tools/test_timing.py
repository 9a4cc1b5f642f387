"""Timings are records of what a clock says; the clock here is made of numbers."""

import itertools

import jax.numpy as jnp
import pytest

from autograder.tools import assert_faster, bench
from autograder.tools.timing import Timing


def clock_of(*durations):
    """Returns a clock by which the measured calls take these durations, one after the other."""
    ticks = itertools.chain.from_iterable((float(10 * i), 10 * i + duration) for i, duration in enumerate(durations))
    return ticks.__next__


def nothing():
    """Stands for a function to be measured."""


def test_record_has_mean_deviation_and_minimum():
    """Mean, standard deviation, minimum and number are those of the measured calls."""
    timing = bench(nothing, repeat=3, clock=clock_of(1.0, 2.0, 3.0))
    assert timing == Timing(mean=2.0, std=1.0, min=1.0, n=3)


def test_one_call_has_no_deviation():
    """A single call has the deviation 0."""
    assert bench(nothing, repeat=1, clock=clock_of(2.0)) == Timing(mean=2.0, std=0.0, min=2.0, n=1)


def test_warm_up_is_called_and_not_measured():
    """The calls of the warm-up come before the first look at the clock."""
    events = []

    def clock():
        events.append("clock")
        return float(len(events))

    bench(lambda: events.append("call"), repeat=1, warm_up=2, clock=clock)
    assert events == ["call", "call", "clock", "call", "clock"]


def test_waits_for_every_array_of_the_result(monkeypatch):
    """A result of any structure is waited for inside the measured time."""
    waited = []
    monkeypatch.setattr("autograder.tools.timing.block_until_ready", waited.append)
    result = {"a": jnp.ones(3), "b": (jnp.zeros(()), [None])}
    bench(lambda: result, repeat=2, warm_up=1, clock=clock_of(1.0, 1.0))
    assert len(waited) == 3
    assert all(one is result for one in waited)


@pytest.mark.parametrize(
    ("mean", "text"),
    [(2.0, "2 ± 0.5 s"), (2e-3, "2 ± 500 ms"), (2e-6, "2 ± 5e+05 µs"), (5e-10, "0.5 ± 5e+08 ns")],
)
def test_printed_with_a_fitting_unit(mean, text):
    """A timing is printed in the largest unit that its mean reaches."""
    assert str(Timing(mean=mean, std=0.5, min=mean, n=4)).startswith(text)


def test_no_calls_are_refused():
    """Measuring no call at all is a mistake of the caller."""
    with pytest.raises(ValueError, match="repeat must be at least 1"):
        bench(nothing, repeat=0)
    with pytest.raises(ValueError, match="attempts must be at least 1"):
        assert_faster(nothing, nothing, attempts=0)


def test_faster_passes_by_the_shortest_calls():
    """The ratio is that of the shortest calls, so one slow call does not spoil it."""
    comparison = assert_faster(nothing, nothing, ratio=3, repeat=2, clock=clock_of(1.0, 9.0, 3.0, 4.0))
    assert comparison.ratio == 3.0


def test_measures_again_before_it_fails():
    """A measurement below the ratio is repeated, and a later good one counts."""
    comparison = assert_faster(nothing, nothing, ratio=2, repeat=1, clock=clock_of(1.0, 1.0, 1.0, 4.0))
    assert comparison.ratio == 4.0


def test_failure_tells_the_best_measurement():
    """When every attempt misses the ratio, the message has the ratio asked for and the best one measured."""
    with pytest.raises(AssertionError, match=r"at least 5 times faster\. The best of 2 measurements was 3 times"):
        assert_faster(nothing, nothing, ratio=5, repeat=1, attempts=2, clock=clock_of(1.0, 3.0, 1.0, 2.0))


def test_call_without_duration_is_infinitely_faster():
    """A clock too coarse to see the faster call does not divide by zero."""
    assert assert_faster(nothing, nothing, repeat=1, clock=clock_of(0.0, 1.0)).ratio == float("inf")
