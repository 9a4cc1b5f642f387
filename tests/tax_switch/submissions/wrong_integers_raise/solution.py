# %% tax_switch
@jax.jit
def tax_switch(income):
    index = jnp.sum(income >= jnp.array([10_000, 40_000, 100_000]))
    return lax.switch(
        index,
        [jnp.zeros_like, lambda x: 0.1 * (x - 10_000), lambda x: 3_000 + 0.2 * (x - 40_000), lambda x: 15_000 + 0.3 * (x - 100_000)],
        income,
    )

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
