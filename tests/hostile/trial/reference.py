"""Halve a number until it is at most a limit; the assignment that hostile submissions answer."""

import math

import jax
import jax.numpy as jnp
from jax import lax


def oracle(x, limit):
    """Returns the value and the number of halvings, by another algorithm than the answer's."""
    steps = max(0, math.ceil(math.log2(x / limit)))
    return x / 2**steps, steps


@jax.jit
def halve(x, limit):
    """Returns the first half of a half and so on that is at most the limit, and how many halvings it took."""
    start = (jnp.asarray(x, jnp.float32), jnp.int32(0))
    return lax.while_loop(lambda state: state[0] > limit, lambda state: (state[0] / 2, state[1] + 1), start)


def halve_in_python(x, times):
    """Returns a number, halved this often."""
    for _ in range(times):
        x = x / 2
    return x


def double(x):
    """Returns twice a number."""
    return x + x
