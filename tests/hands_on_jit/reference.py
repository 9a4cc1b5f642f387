"""Reference for `hands_on_jit`: oracles in NumPy and float64, model answers in JAX, and facts that are measured.

Which error a Python branch or a Python loop raises, and how many programs a static or a traced number of rounds needs,
is never written down: the code in question is run on the JAX at hand.
"""

import builtins
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from matplotlib.figure import Figure

from autograder.faults import CourseFault
from autograder.tools import bench
from autograder.tools.counting import CompileWatch

ROUNDS = (2, 5, 2, 9, 5)
"""The numbers of rounds for which the notebook asks how many programs are compiled."""

GROWTH, STEP = 1.1, 0.5


def heavy(x: Any) -> float:
    """Returns the sum of log(|sin(x x^T)| + 1e-6)."""
    x = np.asarray(x, np.float64)
    products = np.array([[sum(a * b for a, b in zip(row, other, strict=True)) for other in x] for row in x])
    return float(np.log(np.abs(np.sin(products)) + 1e-6).sum())


def conditional(x: Any, threshold: float) -> float:
    """Returns twice the sum of the squares if the sum exceeds the threshold, else the sum and 1."""
    x = np.asarray(x, np.float64)
    return float(2 * (x**2).sum() if x.sum() > threshold else x.sum() + 1)


def applied(x: Any, n: int) -> Any:
    """Returns x after n rounds of x <- 1.1 x + 0.5, by the closed form."""
    x, power = np.asarray(x, np.float64), GROWTH**n
    return power * x + STEP * (power - 1) / (GROWTH - 1)


def compute_heavy(x: jax.Array) -> jax.Array:
    """Returns the sum of log(|sin(x x^T)| + 1e-6), one operation after the other."""
    return jnp.sum(jnp.log(jnp.abs(jnp.sin(jnp.dot(x, x.T))) + 1e-6))


compute_heavy_jit = jax.jit(compute_heavy)


def measure(x: jax.Array, repeat: int) -> dict[str, Any]:
    """Measures both."""
    return {"eager": bench(compute_heavy, x, repeat=repeat), "jit": bench(compute_heavy_jit, x, repeat=repeat)}


def conditional_python(x: jax.Array, threshold: jax.Array) -> jax.Array:
    """Does what `conditional` does, by Python's `if`."""
    if jnp.sum(x) > threshold:
        return 2 * jnp.sum(x**2)
    return jnp.sum(x) + 1


@jax.jit
def conditional_computation(x: jax.Array, threshold: jax.Array) -> jax.Array:
    """Does the same by a branch in the program."""
    total = jnp.sum(x)
    return lax.cond(total > threshold, lambda: 2 * jnp.sum(x**2), lambda: total + 1)


def apply_n_times(x: jax.Array, n: int) -> jax.Array:
    """Applies x <- 1.1 x + 0.5 n times, by Python's `for`."""
    for _ in range(n):
        x = GROWTH * x + STEP
    return x


apply_static = jax.jit(apply_n_times, static_argnames="n")


@jax.jit
def apply_fori(x: jax.Array, n: jax.Array) -> jax.Array:
    """Does the same by a loop in the program."""
    return lax.fori_loop(0, n, lambda _, x: GROWTH * x + STEP, x)


def chart(names: Sequence[str], means: Sequence[float], errors: Sequence[float]) -> Any:
    """Draws bars with their errors, from zero."""
    axes = Figure().subplots()
    axes.bar(names, means, yerr=errors, capsize=5)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("seconds a call")
    return axes


def error_of(function: Callable[..., Any], *args: Any) -> str:
    """Returns the name of the class of the error that a function raises under `jax.jit`.

    Raises:
        CourseFault: It raises none.
    """
    try:
        with jax.disable_jit(False):
            jax.jit(function)(*args)
    except jax.errors.JAXTypeError as error:
        return type(error).__name__
    raise CourseFault(f"On this JAX {function.__name__} works under jax.jit.")


def belongs_to(error: str, kind: str) -> bool:
    """Tells whether an error, by the name of its class, is of a more general class as well."""
    classes = [getattr(jax.errors, name, None) or getattr(builtins, name) for name in (error, kind)]
    return issubclass(*classes)


def programs_of(function: Callable[..., Any], **options: Any) -> int:
    """Returns how many programs of a function, jitted anew, are compiled for the rounds of the notebook."""

    def counted(x: Any, n: Any) -> Any:
        return function(x, n)

    jitted, watch = jax.jit(counted, **options), CompileWatch()
    watch.start()
    try:
        with jax.disable_jit(False), jax.enable_x64(False):
            for n in ROUNDS:
                jitted(np.ones(4, np.float32), n)
    finally:
        watch.stop()
    return sum(compiled.function == counted.__name__ for compiled in watch.seen)


conditional_error = error_of(conditional_python, np.arange(1.0, 4.0, dtype=np.float32), 5.0)
rounds_error = error_of(apply_n_times, np.ones(4, np.float32), 3)
static_programs = programs_of(partial(apply_n_times), static_argnames="n")
fori_programs = programs_of(apply_fori)
