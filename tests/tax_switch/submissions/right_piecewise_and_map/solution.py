# %% tax_switch
def tax_switch(income):
    x = jnp.float32(1) * income
    return jnp.piecewise(
        x,
        [x < 10_000, (10_000 <= x) & (x < 40_000), (40_000 <= x) & (x < 100_000), 100_000 <= x],
        [0.0, lambda x: (x - 10_000) / 10, lambda x: 3_000 + (x - 40_000) / 5, lambda x: 15_000 + (x - 100_000) * 0.3],
    )

# %% tax_vectorized
def tax_vectorized(income):
    flat = jnp.asarray(income, jnp.float32).reshape(-1)
    return lax.map(tax_switch, flat).reshape(income.shape)
