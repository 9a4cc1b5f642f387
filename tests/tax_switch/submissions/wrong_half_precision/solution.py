# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.bfloat16)
    i = jnp.sum(income >= jnp.array([1e4, 4e4, 1e5]))
    return lax.switch(
        i,
        [lambda x: 0 * x, lambda x: (x - 1e4) / 10, lambda x: 3e3 + (x - 4e4) / 5, lambda x: 1.5e4 + 0.3 * (x - 1e5)],
        x,
    )

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.bfloat16)
    tax = 0.1 * jnp.clip(x - 1e4, 0, 3e4) + 0.2 * jnp.clip(x - 4e4, 0, 6e4) + 0.3 * jnp.maximum(x - 1e5, 0)
    return tax.astype(jnp.float32)
