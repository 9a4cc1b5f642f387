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
    return jnp.sum(padded * (mask / jnp.sum(mask)))


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
    """Returns the sum of tanh(table @ x)."""
    return jnp.sum(jnp.tanh(table @ x))


def score_all(tables, x):
    """Returns the scores of all tables, as a list."""
    return [score(table, x) for table in tables]

# %% answer_static
@dataclass(frozen=True)
class Settings:
    """Equal if all that it holds is."""

    steps: int
    rate: float


def make_settings(steps, rate):
    """Returns settings that are equal to all others made of the same numbers."""
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
    """Returns the population after n years."""
    return lax.fori_loop(0, n, lambda _, x: r * x * (1 - x), 0.3)


@jax.jit
def slope_fixed(r):
    """Returns the derivative of the population after 25 years with respect to r."""
    return jax.grad(lambda r: population(r, 25))(r)


@jax.jit
def slope(r, n):
    """Returns the derivative of the population after n years with respect to r."""
    return jax.jacfwd(population)(r, n)
