# %% tax_switch
@jax.jit
def tax_switch(income):
    income = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [income < 10_000, income < 40_000, income < 100_000],
        [0.0, 0.1 * (income - 10_000), 3_000 + 0.2 * (income - 40_000)],
        15_000 + 0.3 * (income - 100_000),
    )

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
