"""Time is measured after a warm-up, and to the end: JAX returns before it has computed."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from jax import block_until_ready

Clock = Callable[[], float]
"""Returns the time in seconds, from any start."""

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the calls of a function took, in seconds.

    Attributes:
        mean: Their mean.
        std: Their standard deviation; 0 for one call.
        min: The shortest, which other work on the machine disturbs least.
        n: Number of calls measured.
    """

    mean: float
    std: float
    min: float
    n: int

    def __str__(self) -> str:
        size, unit = next(((size, unit) for size, unit in _UNITS if self.mean >= size), _UNITS[-1])
        mean, std, least = (f"{value / size:.3g}" for value in (self.mean, self.std, self.min))
        return f"{mean} ± {std} {unit} (shortest {least} {unit}, {self.n} calls)"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two functions compare.

    Attributes:
        fast: Timing of the one that should be faster.
        slow: Timing of the other.
    """

    fast: Timing
    slow: Timing

    @property
    def ratio(self) -> float:
        """How many times faster the first is, by the shortest calls."""
        return self.slow.min / self.fast.min if self.fast.min > 0 else float("inf")

    def __str__(self) -> str:
        return f"{self.ratio:.3g} times faster: {self.fast} against {self.slow}"


def bench(
    function: Callable[..., Any], *args: Any, repeat: int = 10, warm_up: int = 1, clock: Clock = perf_counter
) -> Timing:
    """Measures how long a call takes, waiting for every array in its result.

    Args:
        function: What to call; the result may be any pytree.
        args: Its arguments. For keyword arguments, or several calls, pass a lambda.
        repeat: Calls to measure, at least 1.
        warm_up: Calls before them, which compile and are not measured.
        clock: The time in seconds.

    Returns:
        Mean, standard deviation and minimum, in seconds.
    """
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, not {repeat}.")
    for _ in range(warm_up):
        block_until_ready(function(*args))
    times = []
    for _ in range(repeat):
        start = clock()
        block_until_ready(function(*args))
        times.append(clock() - start)
    deviation = statistics.stdev(times) if repeat > 1 else 0.0
    return Timing(statistics.fmean(times), deviation, min(times), repeat)


def assert_faster(
    fast: Callable[..., Any],
    slow: Callable[..., Any],
    *args: Any,
    ratio: float = 1.0,
    repeat: int = 10,
    attempts: int = 3,
    clock: Clock = perf_counter,
) -> Comparison:
    """Asserts that one function is so many times faster than another; measures again before it fails.

    A busy machine can spoil any one measurement, so what counts is the shortest call, and the best of the attempts.

    Args:
        fast: The one that should be faster.
        slow: The other.
        args: Arguments of both.
        ratio: How many times faster, at least.
        repeat: Calls of each to measure in one attempt.
        attempts: How often to measure before it fails.
        clock: The time in seconds.

    Returns:
        The timings that met the ratio.

    Raises:
        AssertionError: No attempt met it; the message has the best one.
    """
    if attempts < 1:
        raise ValueError(f"attempts must be at least 1, not {attempts}.")
    tried: list[Comparison] = []
    for _ in range(attempts):
        fast_timing = bench(fast, *args, repeat=repeat, clock=clock)
        slow_timing = bench(slow, *args, repeat=repeat, clock=clock)
        tried.append(Comparison(fast_timing, slow_timing))
        if tried[-1].ratio >= ratio:
            return tried[-1]
    best = max(tried, key=lambda comparison: comparison.ratio)
    raise AssertionError(
        f"Expected the first function to be at least {ratio:g} times faster. "
        f"The best of {attempts} measurements was {best.ratio:.3g} times: {best.fast} against {best.slow}."
    )
