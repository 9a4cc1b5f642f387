# %% tax_switch
def brackets(x):
    reached = jnp.stack([x >= 1e4, x >= 4e4, x >= 1e5]).sum()
    return lax.switch(
        reached,
        [
            lambda x: jnp.float32(0),
            lambda x: 0.1 * (x - 1e4),
            lambda x: 3e3 + 0.2 * (x - 4e4),
            lambda x: lax.cond(x < 1e6, lambda x: 1.5e4 + 0.3 * (x - 1e5), lambda x: 2.85e5 + 0.3 * (x - 1e6), x),
        ],
        x,
    )


def tax_switch(income):
    income = jnp.asarray(income, jnp.float32)
    return lax.cond(income < 0, lambda x: jnp.float32(0), jax.jit(brackets), income)

# %% tax_vectorized
def tax_vectorized(income):
    return jnp.maximum(jnp.maximum(0.0, 0.1 * income - 1_000), jnp.maximum(0.2 * income - 5_000, 0.3 * income - 15_000))
