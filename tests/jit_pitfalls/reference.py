"""Reference for `jit_pitfalls`: oracles in NumPy and float64, the truths of both predictions, and a model answer.

Nothing here says what a stale program gives or which error comes: `stale_truth` and `outcomes_truth` run the very code
that the notebook shows, on the JAX at hand. `STALE` and `CASES` are that code, and a test holds them equal to it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

BUCKETS = (8, 16, 64)
START = 0.3
YEARS = 25

WORDS = (
    "no error",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "TracerArrayConversionError",
    "ConcretizationTypeError",
    "UnexpectedTracerError",
    "RuntimeError",
    "TypeError",
    "ValueError",
)
"""What a function of `CASES` can be said to come to."""

STALE = """\
unit = 1


def weigh(x):
    return jnp.sum(x) * unit


weighed = jax.jit(weigh)
two, three = jnp.ones(2), jnp.ones(3)
answers = [weighed(two)]  # call 1
unit = 10
answers += [weighed(two)]  # call 2
answers += [weighed(three)]  # call 3
answers += [weighed(two * 7)]  # call 4
unit = 100
answers += [jax.jit(weigh)(three)]  # call 5
answers += [jax.jit(lambda x: weigh(x))(three)]  # call 6
answers += [weigh(two)]  # call 7
jax.clear_caches()
answers += [weighed(two)]  # call 8
"""

CASES = '''\
def case_1():
    """Chooses by `if`."""
    return jax.jit(lambda x: "warm" if x > 20 else "cold")(25.0)


def case_2():
    """Chooses by the number of dimensions."""
    return jax.jit(lambda x: x + 1 if x.ndim else x)(25.0)


def case_3():
    """Calls NumPy."""
    return jax.jit(lambda x: np.sin(x))(25.0)


def case_4():
    """Picks from a tuple."""
    return jax.jit(lambda day: ("Mon", "Tue", "Wed")[day])(1)


def case_5():
    """Converts to a Python number."""
    return jax.jit(lambda x: x + float(x))(25.0)


def case_6():
    """Uses later what it kept while tracing."""
    seen = []
    jax.jit(lambda x: seen.append(x))(25.0)
    return seen[0] + 1


def case_7():
    """Has a list as a static argument."""
    return jax.jit(lambda x, shape: x + jnp.ones(shape), static_argnames="shape")(25.0, shape=[2, 3])


def case_8():
    """Uses what it gave away."""
    x = jnp.ones(3)
    jax.jit(lambda x: 2 * x, donate_argnums=0)(x)
    return x + 1


def case_9():
    """Differentiates a loop of fixed length."""
    return jax.grad(lambda x: lax.fori_loop(0, 5, lambda i, y: x * y, 1.0))(25.0)


def case_10():
    """Differentiates a loop of traced length."""
    power = jax.jit(lambda x, n: lax.fori_loop(0, n, lambda i, y: x * y, 1.0))
    return jax.grad(power)(25.0, 5)
'''


@contextmanager
def as_in_the_notebook() -> Iterator[None]:
    """Sets aside what the grader's environment may say to JAX: a student's kernel does not see it."""
    with jax.disable_jit(False), jax.enable_x64(False):
        yield


def stale_truth() -> tuple[float, ...]:
    """Runs the calls of section 2 and returns what each gives."""
    names: dict[str, Any] = {"jax": jax, "jnp": jnp}
    with as_in_the_notebook():
        exec(STALE, names)
        return tuple(float(answer) for answer in names["answers"])


def outcomes_truth() -> tuple[str, ...]:
    """Calls the functions of section 7 and returns the class of what each raises, or `no error`."""
    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "np": np, "lax": lax}
    with as_in_the_notebook():
        exec(CASES, names)
        return tuple(_outcome(names[f"case_{number}"]) for number in range(1, 11))


def _outcome(case: Callable[[], Any]) -> str:
    try:
        case()
    except Exception as error:
        return type(error).__name__
    return "no error"


def relaxed(x: Any) -> tuple[Any, Any]:
    """Returns x moved half-way to its mean, and the largest distance from it."""
    x = np.asarray(x, np.float64)
    return x - (x - x.mean()) * 0.5, np.abs(x - x.mean()).max()


def fees(x: Any, rate: float, free: float) -> float:
    """Adds up what each number pays."""
    return float(sum(rate * (float(number) - free) for number in x if number > free))


def descended(weights: Any, directions: Any, rate: float) -> Any:
    """Returns the weights after all steps: their sum is one step."""
    return np.asarray(weights, np.float64) - rate * np.asarray(directions, np.float64).sum(axis=0)


def scored(table: Any, x: Any) -> float:
    """Returns the sum of tanh over the rows of a table times a vector."""
    return float(sum(np.tanh(np.dot(np.asarray(row, np.float64), np.asarray(x, np.float64))) for row in table))


def simulated(x: Any, steps: int, rate: float) -> Any:
    """Returns what `simulate` gives: the distance from 1 shrinks by the same factor in each step."""
    return 1 - (1 - np.asarray(x, np.float64)) * (1 - rate) ** steps


def commissioned(sales: float, grade: int) -> float:
    """Returns the commission."""
    return max(sales, 0.0) * {0: 0.01, 1: 0.05, 2: 0.2}[grade]


def spreads(x: Any) -> float:
    """Returns the standard deviation in units of the mean absolute value."""
    x = np.asarray(x, np.float64)
    return float(np.sqrt(((x - x.mean()) ** 2).mean()) / np.abs(x).mean())


def bounced(x: float, n: int) -> float:
    """Returns x after n bounces."""
    for _ in range(n):
        x = 1 - x * x / 2
    return x


def slopes(r: float, n: int) -> float:
    """Returns the derivative after n years, by the recurrence of the derivative itself."""
    r = float(np.float32(r))
    x, slope = START, 0.0
    for _ in range(n):
        x, slope = r * x * (1 - x), x * (1 - x) + r * (1 - 2 * x) * slope
    return slope


@jax.jit
def relax(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns x moved half-way to its mean, and how far the farthest number was from it."""
    mean = jnp.mean(x)
    return (x + mean) / 2, jnp.max(jnp.abs(x - mean))


@jax.jit
def fee(x: jax.Array, rate: jax.Array, free: jax.Array) -> jax.Array:
    """Returns the sum of what exceeds the free amount, times the rate."""
    return jnp.sum(jnp.maximum(x - free, 0)) * rate


@jax.jit
def masked_mean(padded: jax.Array, mask: jax.Array) -> jax.Array:
    """Returns the mean of the entries that the mask selects."""
    return jnp.sum(jnp.where(mask, padded, 0)) / jnp.sum(mask)


def mean_of(values: Any) -> jax.Array:
    """Returns the mean of a vector of any length up to 64, with one program for each bucket."""
    length = len(values)
    size = next(bucket for bucket in BUCKETS if bucket >= length)
    padded = np.zeros(size, np.float32)
    padded[:length] = values
    mean: jax.Array = masked_mean(padded, np.arange(size) < length)
    return mean


@partial(jax.jit, donate_argnames="weights")
def nudge(weights: jax.Array, direction: jax.Array, rate: jax.Array) -> jax.Array:
    """Returns the weights a step further; the weights that were given are gone."""
    return weights - rate * direction


def descend(weights: jax.Array, directions: jax.Array, rate: jax.Array) -> jax.Array:
    """Returns the weights after a step in each direction; the weights that were given are still there."""
    weights = jnp.array(weights)
    for direction in directions:
        weights = nudge(weights, direction, rate)
    return weights


@jax.jit
def score(table: jax.Array, x: jax.Array) -> jax.Array:
    """Returns the sum of tanh(table @ x)."""
    return jnp.sum(jnp.tanh(table @ x))


def score_all(tables: Sequence[jax.Array], x: jax.Array) -> list[jax.Array]:
    """Returns the scores of all tables, as a list."""
    return [score(table, x) for table in tables]


@dataclass(frozen=True)
class Settings:
    """Equal if all that it holds is."""

    steps: int
    rate: float


def make_settings(steps: int, rate: float) -> Settings:
    """Returns settings that are equal to all others made of the same numbers."""
    return Settings(steps, rate)


@partial(jax.jit, static_argnames="settings")
def simulate(x: jax.Array, settings: Settings) -> jax.Array:
    """Lets x approach 1, in as many steps and as fast as the settings say."""
    for _ in range(settings.steps):
        x = x + settings.rate * (1 - x)
    return x


def run_with(x: jax.Array, steps: int, rate: float) -> jax.Array:
    """Makes settings anew and runs the simulation with them."""
    done: jax.Array = simulate(x, make_settings(steps, rate))
    return done


def commission(sales: jax.Array, grade: jax.Array) -> jax.Array:
    """Returns the share of the sales that the grade earns, and nothing for negative sales."""
    return jnp.maximum(sales, 0.0) * jnp.array([0.01, 0.05, 0.2])[grade]


def spread(x: jax.Array) -> jax.Array:
    """Returns the standard deviation in units of the mean absolute value."""
    return jnp.std(x) / jnp.mean(jnp.abs(x))


def bounce(x: jax.Array, n: jax.Array) -> jax.Array:
    """Returns x after n bounces."""
    last: jax.Array = lax.fori_loop(0, n, lambda _, x: 1 - x * x / 2, x)
    return last


def population(r: jax.Array, n: Any) -> jax.Array:
    """Returns the population after n years."""
    last: jax.Array = lax.fori_loop(0, n, lambda _, x: r * x * (1 - x), START)
    return last


@jax.jit
def slope_fixed(r: jax.Array) -> jax.Array:
    """Returns the derivative of the population after 25 years with respect to r."""
    return jax.grad(lambda r: population(r, YEARS))(r)


@jax.jit
def slope(r: jax.Array, n: jax.Array) -> jax.Array:
    """Returns the derivative of the population after n years with respect to r."""
    return jax.jacfwd(population)(r, n)


STALE_TRUTH = stale_truth()
OUTCOMES_TRUTH = outcomes_truth()
"""Measured once for each run of the suite."""

stale = list(STALE_TRUTH)
outcomes = list(OUTCOMES_TRUTH)
