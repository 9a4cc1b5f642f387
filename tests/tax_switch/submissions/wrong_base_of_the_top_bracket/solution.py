# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    i = jnp.sum(x >= jnp.array([10_000.0, 40_000.0, 100_000.0]))
    return lax.switch(
        i,
        [lambda: 0.0 * x, lambda: 0.1 * (x - 10_000), lambda: 3_000 + 0.2 * (x - 40_000), lambda: 12_000 + 0.3 * (x - 100_000)],
    )

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [0.0 * x, 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        12_000 + 0.3 * (x - 100_000),
    )
