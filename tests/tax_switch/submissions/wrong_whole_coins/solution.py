# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.int32)
    i = jnp.sum(x >= jnp.array([10_000, 40_000, 100_000]))
    return lax.switch(
        i,
        [lambda x: 0 * x, lambda x: (x - 10_000) // 10, lambda x: 3_000 + (x - 40_000) // 5, lambda x: 15_000 + 3 * ((x - 100_000) // 10)],
        x,
    )

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income)
    return jnp.where(x < 10_000, 0.0, jnp.where(x < 40_000, (x - 10_000) // 10, jnp.where(x < 100_000, 3_000 + (x - 40_000) // 5, 15_000 + 3 * (x - 100_000) // 10)))
