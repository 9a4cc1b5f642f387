# %% tax_switch
def tax_switch(income):
    income = jnp.float32(income)
    edges = jnp.array([0, 10_000, 40_000, 100_000], dtype=jnp.float32)
    reached = jnp.count_nonzero(income >= edges)
    return jax.lax.switch(
        reached,
        [
            lambda x: jnp.full_like(x, jnp.nan),
            lambda x: jnp.zeros_like(x),
            lambda x: (x - 10_000) * 0.10,
            lambda x: (x - 40_000) * 0.20 + 3_000,
            lambda x: (x - 100_000) * 0.30 + 15_000,
        ],
        income,
    )

# %% tax_vectorized
def tax_vectorized(income):
    return (
        0.10 * jnp.clip(income - 10_000, 0, 30_000)
        + 0.20 * jnp.clip(income - 40_000, 0, 60_000)
        + 0.30 * jnp.maximum(income - 100_000, 0)
    )
