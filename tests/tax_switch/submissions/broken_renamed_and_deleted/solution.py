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
def tax_vectorised(income):
    return jnp.select([income < 1e4, income < 4e4, income < 1e5], [0.0 * income, 0.1 * (income - 1e4), 3e3 + 0.2 * (income - 4e4)], 1.5e4 + 0.3 * (income - 1e5))
