# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    i = jnp.searchsorted(jnp.array([10_000.0, 40_000.0, 100_000.0]), x, side="right")
    return lax.switch(
        i,
        [
            lambda x: jnp.zeros_like(x),
            lambda x: 0.1 * (x - 10_000),
            lambda x: 3_000 + 0.2 * (x - 40_000),
            lambda x: 15_000 + 0.3 * (x - 100_000),
        ],
        x,
    )


# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    while x.ndim == 0:
        x = jnp.where(x > 0, x, x)
    return 0.1 * jnp.clip(x - 1e4, 0, 3e4) + 0.2 * jnp.clip(x - 4e4, 0, 6e4) + 0.3 * jnp.maximum(x - 1e5, 0)
