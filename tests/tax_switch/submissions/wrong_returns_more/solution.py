# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    i = jnp.searchsorted(jnp.array([1e4, 4e4, 1e5]), x)
    rate = jnp.array([0.0, 0.1, 0.2, 0.3])[i]
    tax = lax.switch(
        i,
        [lambda x: 0.0 * x, lambda x: 0.1 * (x - 1e4), lambda x: 3e3 + 0.2 * (x - 4e4), lambda x: 1.5e4 + 0.3 * (x - 1e5)],
        x,
    )
    return tax, rate

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    tax = 0.1 * jnp.clip(x - 1e4, 0, 3e4) + 0.2 * jnp.clip(x - 4e4, 0, 6e4) + 0.3 * jnp.maximum(x - 1e5, 0)
    return {"tax": tax, "rate": tax / x}
