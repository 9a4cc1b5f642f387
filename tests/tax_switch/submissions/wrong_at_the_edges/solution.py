# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    low, middle, high = (x > 1e4) & (x < 4e4), (x > 4e4) & (x < 1e5), x > 1e5
    index = 1 * low + 2 * middle + 3 * high
    return lax.switch(
        index,
        [lambda x: 0.0 * x, lambda x: 0.1 * (x - 1e4), lambda x: 3e3 + 0.2 * (x - 4e4), lambda x: 1.5e4 + 0.3 * (x - 1e5)],
        x,
    )

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    low, middle, high = (x > 1e4) & (x < 4e4), (x > 4e4) & (x < 1e5), x > 1e5
    return low * 0.1 * (x - 1e4) + middle * (3e3 + 0.2 * (x - 4e4)) + high * (1.5e4 + 0.3 * (x - 1e5))
