# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    i = jnp.digitize(x, jnp.array([10_000.0, 40_000.0, 100_000.0]))
    return lax.switch(
        i,
        [lambda x: 15_000 + 0.3 * (x - 100_000), lambda x: 3_000 + 0.2 * (x - 40_000), lambda x: 0.1 * (x - 10_000), lambda x: 0.0 * x],
        x,
    )

# %% tax_vectorized
def tax_vectorized(income):
    points = jnp.array([0, 10_000, 40_000, 100_000, 1_000_000])
    return jnp.interp(income, points, jnp.array([0, 0, 3_000, 15_000, 285_000]))
