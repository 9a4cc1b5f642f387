# %% tax_switch
def selected(x):
    return jnp.where(
        x < 10_000,
        0.0 * x,
        jnp.where(x < 40_000, 0.1 * (x - 10_000), jnp.where(x < 100_000, 3_000 + 0.2 * (x - 40_000), 15_000 + 0.3 * (x - 100_000))),
    )


def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    i = jnp.searchsorted(jnp.array([10_000.0, 40_000.0, 100_000.0]), x, side="right")
    nothing = lax.switch(i, [lambda x: 0 * x, lambda x: x - x, lambda x: jnp.zeros_like(x), lambda x: 0.0 * (x - 1)], x)
    return selected(x) + nothing

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
