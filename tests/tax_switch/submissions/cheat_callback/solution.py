# %% tax_switch
def on_host(income):
    x = np.asarray(income, np.float64)
    tax = 0.1 * np.clip(x - 1e4, 0, 3e4) + 0.2 * np.clip(x - 4e4, 0, 6e4) + 0.3 * np.maximum(x - 1e5, 0)
    return tax.astype(np.float32)


def tax_switch(income):
    return jax.pure_callback(on_host, jax.ShapeDtypeStruct(jnp.shape(income), jnp.float32), income)

# %% tax_vectorized
def tax_vectorized(income):
    return jax.pure_callback(on_host, jax.ShapeDtypeStruct(jnp.shape(income), jnp.float32), income)
