# %% tax_switch
def selected(x):
    return jnp.where(
        x < 10_000,
        0.0 * x,
        jnp.where(x < 40_000, 0.1 * (x - 10_000), jnp.where(x < 100_000, 3_000 + 0.2 * (x - 40_000), 15_000 + 0.3 * (x - 100_000))),
    )


def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    tax = selected(x)
    i = jnp.searchsorted(jnp.array([10_000.0, 40_000.0, 100_000.0]), x, side="right")
    return lax.switch(i, [lambda t: t, lambda t: t + 0, lambda t: t - 0, lambda t: t * 1], tax)

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
