# %% tax_switch
def tax_switch(income):
    def above_100(x):
        return 15_000 + 0.3 * (x - 100_000)

    def above_40(x):
        return lax.cond(x < 100_000, lambda x: 3_000 + 0.2 * (x - 40_000), above_100, x)

    def above_10(x):
        return lax.cond(x < 40_000, lambda x: 0.1 * (x - 10_000), above_40, x)

    return lax.cond(income < 10_000, lambda x: 0.0 * x, above_10, jnp.float32(income))

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
