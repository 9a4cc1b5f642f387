# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    tax = jnp.float32(0)
    for start, extra in ((10_000, 0.1), (40_000, 0.1), (100_000, 0.1)):
        tax += lax.cond(x > start, lambda: extra * (x - start), lambda: jnp.float32(0))
    return tax

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
