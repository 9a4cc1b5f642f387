# %% answer_effects
def _relax(x):
    centre = x.mean()
    away = x - centre
    return x - away / 2, abs(away).max()


relax = jax.jit(_relax)

# %% answer_stale
stale = [2, 2, 30, 14, 30, 300, 200, 200]

# %% answer_fee
@partial(jax.jit, inline=True)
def fee(x, rate, free):
    return rate * jnp.where(x > free, x - free, 0.0).sum()

# %% answer_padding
@jax.jit
def masked_mean(padded, mask):
    count = mask.astype(jnp.float32).sum()
    return jnp.vdot(jnp.nan_to_num(jnp.where(mask, padded, jnp.nan)), mask) / count


def mean_of(values):
    values = np.asarray(values)
    size = [bucket for bucket in BUCKETS if bucket >= values.size][0]
    mask = np.zeros(size, bool)
    mask[: values.size] = True
    return float(masked_mean(np.pad(values, (0, size - values.size), constant_values=np.nan), mask))

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
class Settings:
    def __init__(self, steps, rate):
        self.steps, self.rate = steps, rate

    def __eq__(self, other):
        return isinstance(other, Settings) and (self.steps, self.rate) == (other.steps, other.rate)

    def __hash__(self):
        return hash((self.steps, self.rate))


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
    share = lax.switch(grade, [lambda: 0.01, lambda: 0.05, lambda: 0.2])
    return lax.cond(sales < 0, lambda: jnp.zeros_like(sales), lambda: sales * share)


def spread(x):
    return jnp.sqrt(jnp.mean((x - x.mean()) ** 2)) / jnp.abs(x).mean()


def bounce(x, n):
    return lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, 1 - s[1] ** 2 / 2), (0, x))[1]

# %% answer_gradients
def year(r, x):
    return r * x * (1 - x)


@jax.jit
def slope_fixed(r):
    def last(r):
        x, _ = lax.scan(lambda x, _: (year(r, x), None), 0.3, length=25)
        return x

    return jax.grad(last)(r)


@jax.jit
def slope(r, n):
    def last(r):
        def body(i, x):
            return jnp.where(i < n, year(r, x), x)

        return lax.fori_loop(0, 50, body, 0.3)

    return jax.grad(last)(r)
