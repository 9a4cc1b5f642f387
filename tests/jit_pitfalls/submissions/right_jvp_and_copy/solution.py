# %% answer_effects
@jax.jit
def relax(x):
    """Returns x moved half-way to its mean, and how far the farthest number was from it."""
    mean = jnp.mean(x)
    return (x + mean) / 2, jnp.max(jnp.abs(x - mean))

# %% answer_stale
stale = [2, 2, 30, 14, 30, 300, 200, 200]

# %% answer_fee
@jax.jit
def fee(x, rate, free):
    """Returns the sum of what exceeds the free amount, times the rate."""
    return jnp.sum(jnp.maximum(x - free, 0)) * rate

# %% answer_padding
@jax.jit
def masked_mean(padded, mask):
    return jnp.mean(padded, where=mask)


def mean_of(values):
    size = min(bucket for bucket in BUCKETS if bucket >= len(values))
    padded = np.full(size, np.inf, dtype=np.float32)
    padded[: len(values)] = np.array(values)
    return masked_mean(jnp.asarray(padded), jnp.asarray(np.arange(size) < len(values)))

# %% answer_donation
nudge = jax.jit(lambda weights, direction, rate: weights - rate * direction, donate_argnums=(0,))


def descend(weights, directions, rate):
    current = weights.copy()
    for k in range(len(directions)):
        current = nudge(current, directions[k], rate)
    return current

# %% answer_closures
@jax.jit
def score(table, x):
    """Returns the sum of tanh(table @ x)."""
    return jnp.sum(jnp.tanh(table @ x))


def score_all(tables, x):
    """Returns the scores of all tables, as a list."""
    return [score(table, x) for table in tables]

# %% answer_static
from functools import lru_cache
from types import SimpleNamespace


class Settings(SimpleNamespace):
    __hash__ = object.__hash__


@lru_cache(maxsize=None)
def make_settings(steps, rate):
    return Settings(steps=steps, rate=rate)

# %% answer_outcomes
outcomes = [
    "TracerBoolConversionError",
    "no error",  # the number of dimensions is known
    "TracerArrayConversionError",
    "TracerIntegerConversionError",
    "ConcretizationTypeError",
    "UnexpectedTracerError",
    "ValueError",  # a list has no hash
    "RuntimeError",  # deleted
    "no error",
    "ValueError",
]

# %% answer_errors
def commission(sales, grade):
    """Returns the share of the sales that the grade earns, and nothing for negative sales."""
    return jnp.maximum(sales, 0.0) * jnp.array([0.01, 0.05, 0.2])[grade]


def spread(x):
    """Returns the standard deviation in units of the mean absolute value."""
    return jnp.std(x) / jnp.mean(jnp.abs(x))


def bounce(x, n):
    """Returns x after n bounces."""
    return lax.fori_loop(0, n, lambda _, x: 1 - x * x / 2, x)

# %% answer_gradients
def population(r, n):
    def body(state):
        k, x = state
        return k + 1, r * x * (1 - x)

    return lax.while_loop(lambda state: state[0] < n, body, (0, jnp.float32(0.3)))[1]


@jax.jit
def slope_fixed(r):
    return jax.jvp(lambda r: population(r, 25), (r,), (jnp.ones_like(r),))[1]


@jax.jit
def slope(r, n):
    return jax.jvp(lambda r: population(r, n), (r,), (jnp.ones_like(r),))[1]
