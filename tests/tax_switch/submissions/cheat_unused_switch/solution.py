# %% tax_switch
def selected(x):
    return jnp.where(
        x < 10_000,
        0.0 * x,
        jnp.where(x < 40_000, 0.1 * (x - 10_000), jnp.where(x < 100_000, 3_000 + 0.2 * (x - 40_000), 15_000 + 0.3 * (x - 100_000))),
    )


def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    decoy = lax.switch(
        jnp.searchsorted(jnp.array([1e4, 4e4, 1e5]), x),
        [lambda x: 0.0 * x, lambda x: 0.1 * (x - 1e4), lambda x: 3e3 + 0.2 * (x - 4e4), lambda x: 1.5e4 + 0.3 * (x - 1e5)],
        x,
    )
    checked = decoy == selected(x)
    return selected(x)

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
