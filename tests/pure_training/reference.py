"""Reference for `pure_training`: a float64 oracle, hidden problems, a model answer, and how the suite runs an answer.

Where the tolerance comes from: over five data sets, three starts, four rates from 0.004 to 0.25 and 1 to 300 steps, six
right ways to write the step (means, sums, dot products, `jax.grad`, a design matrix, moments computed once) end at most
6.3e-7 away from the float64 oracle, on the scale of the largest of 1, |w| and |b|, on JAX 0.10.2 and 0.12.0.1. `RTOL`
allows three times as much. The errors do not add up, since every step pulls towards the same minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograder.faults import RaisedFault
from autograder.suite import Function, Program, as_numpy, assert_close, f32, fail, i32

RTOL = 2e-6


class Problem(NamedTuple):
    """Data on a noisy line, where to start, and how fast to go.

    Attributes:
        x: Shape (points,), float32.
        y: Shape (points,), float32.
        w: Slope to start from.
        b: Intercept to start from.
        lr: Learning rate.
    """

    x: np.ndarray[Any, Any]
    y: np.ndarray[Any, Any]
    w: float
    b: float
    lr: float

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of `step`: all but the number of steps, and strong float32."""
        return f32(self.w), f32(self.b), self.x, self.y, f32(self.lr)

    @property
    def avals(self) -> tuple[Any, ...]:
        """Their abstract values."""
        return f32, f32, f32[len(self.x)], f32[len(self.y)], f32


def draw(seed: int, line: tuple[float, float], *, points: int, x: tuple[float, float], noise: float) -> Any:
    """Returns data on a line, as `Problem` takes it.

    Args:
        seed: Of the random numbers.
        line: Its slope and intercept.
        points: How many. With fewer than 64, XLA needs very long for a loop that somebody unrolled.
        x: Mean and deviation of x; a mean other than 0 ties slope and intercept together.
        noise: Deviation of y from the line.
    """
    numbers = np.random.default_rng(seed)
    xs = numbers.normal(*x, points)
    ys = line[0] * xs + line[1] + numbers.normal(0, noise, points)
    return xs.astype(np.float32), ys.astype(np.float32)


STEEP = Problem(*draw(1, (12.0, 5.0), points=64, x=(0.4, 0.8), noise=0.7), w=-1.5, b=0.25, lr=0.07)
FLAT = Problem(*draw(2, (-0.3, 4.0), points=64, x=(-0.6, 1.3), noise=0.2), w=2.0, b=-3.0, lr=0.013)
MANY = Problem(*draw(3, (-2.5, -6.0), points=150, x=(0.7, 1.1), noise=0.4), w=0.0, b=0.0, lr=0.11)
SEEN = Problem(*draw(4, (4.5, 1.5), points=80, x=(0.3, 1.0), noise=0.3), w=0.5, b=-1.0, lr=0.045)
"""For calls in the student's kernel, which then knows it; no other test uses it."""


def train(problem: Problem, num_steps: int, *, lr: float | None = None) -> tuple[float, float]:
    """Returns slope and intercept after so many steps of gradient descent, in float64."""
    w, b = float(np.float32(problem.w)), float(np.float32(problem.b))
    x, y = problem.x.astype(np.float64), problem.y.astype(np.float64)
    rate = float(np.float32(problem.lr if lr is None else lr))
    for _ in range(num_steps):
        error = w * x + b - y
        w, b = w - rate * np.mean(2 * error * x), b - rate * np.mean(2 * error)
    return w, b


def after(count: int) -> str:
    """Returns in words when that is: `after 5 steps`."""
    return "after one step" if count == 1 else f"after {count} steps"


def as_pair(result: Any) -> tuple[float, float]:
    """Returns a slope and an intercept as numbers; fails if that is not what came back."""
    if not isinstance(result, tuple | list) or len(result) != 2:
        fail("A pair `(w, b)` should come back.")
    w, b = (as_numpy(value, what=f"`{name}`") for name, value in zip("wb", result, strict=True))
    if w.shape or b.shape:
        fail(f"w and b should be scalars, but have the shapes {w.shape} and {b.shape}.")
    return float(w), float(b)


def assert_trained(result: Any, expected: tuple[float, float], when: str) -> None:
    """Asserts that a result is the pair of the right slope and the right intercept."""
    as_pair(result)
    atol = RTOL * max(1.0, *map(abs, expected))
    for name, got, want in zip(("the slope w", "the intercept b"), result, expected, strict=True):
        assert_close(got, np.float64(want), rtol=0, atol=atol, what=f"{name} {when}")


def assert_kept(result: Any, problem: Problem, when: str) -> None:
    """Asserts that slope and intercept came back as they were."""
    for name, got, was in zip("wb", as_pair(result), (problem.w, problem.b), strict=True):
        if got != np.float32(was):
            fail(f"`{name}` has changed {when}.")


class Trainer:
    """A training function of the student's as programs, made once for each signature.

    Args:
        function: `train_fori` or `train_python_loop`.
    """

    def __init__(self, function: Function) -> None:
        self._function = function
        self._made: dict[tuple[Any, ...], Program] = {}

    def traced(self, problem: Problem, counts: Sequence[int]) -> list[Any]:
        """Runs one program for all numbers of steps, or one for each if `num_steps` is not traced.

        That it must be traced is for the lowering and the compiles to say; it does not make a number wrong.
        """
        try:
            program = self._program(*problem.avals, i32)
        except RaisedFault:
            return self.built_in(problem, counts)
        return program.run([(*problem.arguments, count) for count in counts])

    def built_in(self, problem: Problem, counts: Sequence[int]) -> list[Any]:
        """Runs a program for each number of steps, with that number and the rate built in."""
        avals, arguments = problem.avals[:4], problem.arguments[:4]
        return [self._program(*avals, problem.lr, count)(*arguments) for count in counts]

    def unrolled(self, problem: Problem, counts: Sequence[int]) -> list[Any]:
        """Does the same for a loop of Python's; if it cannot be traced, it is called, and knows the problem then."""
        try:
            return self.built_in(problem, counts)
        except RaisedFault:
            return [self._function(*problem.arguments, count) for count in counts]

    def _program(self, *avals: Any) -> Program:
        if avals not in self._made:
            self._made[avals] = self._function.export(*avals, returns=(f32, f32))
        return self._made[avals]


def make_data(key: jax.Array, num_points: int) -> tuple[jax.Array, jax.Array]:
    """Returns points near the line y = 3 x - 1."""
    for_x, for_noise = jax.random.split(key)
    x = jax.random.normal(for_x, (num_points,))
    return x, 3 * x - 1 + 0.1 * jax.random.normal(for_noise, (num_points,))


@jax.jit
def step(w: Any, b: Any, x: Any, y: Any, lr: Any) -> tuple[Any, Any]:
    """Returns slope and intercept after one step of gradient descent on the mean squared error."""
    error = w * x + b - y
    return w - lr * jnp.mean(2 * error * x), b - lr * jnp.mean(2 * error)


def train_python_loop(w: Any, b: Any, x: Any, y: Any, lr: Any, num_steps: int) -> tuple[Any, Any]:
    """Returns slope and intercept after `num_steps` steps, one call for each."""
    for _ in range(num_steps):
        w, b = step(w, b, x, y, lr)
    return w, b


@jax.jit
def train_fori(w: Any, b: Any, x: Any, y: Any, lr: Any, num_steps: Any) -> tuple[Any, Any]:
    """Returns the same, from one program that holds the loop."""
    return lax.fori_loop(0, num_steps, lambda _, state: step(*state, x, y, lr), (w, b))
