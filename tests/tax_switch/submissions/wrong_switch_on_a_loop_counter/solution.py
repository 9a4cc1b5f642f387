# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    parts = [
        lambda x: jnp.zeros_like(x),
        lambda x: 0.1 * jnp.clip(x - 10_000, 0, 30_000),
        lambda x: 0.2 * jnp.clip(x - 40_000, 0, 60_000),
        lambda x: 0.3 * jnp.maximum(x - 100_000, 0),
    ]
    return lax.fori_loop(0, 4, lambda k, tax: tax + lax.switch(k, parts, x), jnp.float32(0))

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
