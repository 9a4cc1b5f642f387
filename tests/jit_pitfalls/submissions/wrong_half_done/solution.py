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
