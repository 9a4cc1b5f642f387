# %% tax_switch
def tax_switch(income):
    x = jnp.float32(income)
    i = jnp.searchsorted(jnp.array([1e4, 4e4, 1e5]), x, side="right")
    return lax.switch(i, [lambda x: 0.0 * x, lambda x: 0.1 * x, lambda x: 0.2 * x, lambda x: 0.3 * x], x)

# %% tax_vectorized
def tax_vectorized(income):
    rate = jnp.select([income < 1e4, income < 4e4, income < 1e5], [0.0, 0.1, 0.2], 0.3)
    return rate * income
