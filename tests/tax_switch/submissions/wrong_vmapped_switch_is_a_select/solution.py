# %% tax_switch
def one(income):
    index = jnp.searchsorted(jnp.array([1e4, 4e4, 1e5]), income)
    return lax.switch(
        index,
        [lambda x: 0.0 * x, lambda x: 0.1 * (x - 1e4), lambda x: 3e3 + 0.2 * (x - 4e4), lambda x: 1.5e4 + 0.3 * (x - 1e5)],
        income,
    )

def tax_switch(income):
    return jax.vmap(one)(jnp.reshape(income, (1,)))[0]

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
