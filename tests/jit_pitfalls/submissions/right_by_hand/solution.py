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
    """Returns the mean of the entries that the mask selects."""
    return jnp.sum(jnp.where(mask, padded, 0)) / jnp.sum(mask)


def mean_of(values):
    """Returns the mean of a vector of any length up to 64, with one program for each bucket."""
    length = len(values)
    size = next(bucket for bucket in BUCKETS if bucket >= length)
    padded = np.zeros(size, np.float32)
    padded[:length] = values
    return masked_mean(padded, np.arange(size) < length)

# %% answer_donation
@partial(jax.jit, donate_argnames="weights")
def nudge(weights, direction, rate):
    """Returns the weights a step further; the weights that were given are gone."""
    return weights - rate * direction


def descend(weights, directions, rate):
    """Returns the weights after a step in each direction; the weights that were given are still there."""
    weights = jnp.array(weights)
    for direction in directions:
        weights = nudge(weights, direction, rate)
    return weights

# %% answer_closures
@jax.jit
def score(table, x):
    return jnp.tanh(jnp.dot(table, x)).sum()


def score_all(tables, x):
    return [score(t, x) for t in tables]

# %% answer_static
from collections import namedtuple

Settings = namedtuple("Settings", ["steps", "rate"])


def make_settings(steps, rate):
    return Settings(steps, rate)

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
    share = jnp.select([grade == 0, grade == 1], [0.01, 0.05], 0.2)
    return jnp.where(sales > 0, sales, 0) * share


def spread(x):
    return x.std() / abs(x).mean()


def bounce(x, n):
    def body(state):
        left, x = state
        return left - 1, 1 - 0.5 * x * x

    return lax.while_loop(lambda state: state[0] > 0, body, (n, x))[1]

# %% answer_gradients
def both(r, n):
    def body(_, state):
        x, dx = state
        return r * x * (1 - x), x * (1 - x) + r * (1 - 2 * x) * dx

    return lax.fori_loop(0, n, body, (jnp.float32(0.3), jnp.float32(0)))[1]


@jax.jit
def slope_fixed(r):
    return both(r, 25)


slope = jax.jit(both)
