import jax

jax.config.update("jax_enable_x64", True)

# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float64)
    return lax.switch(
        jnp.sum(jnp.array([1e4, 4e4, 1e5]) <= x),
        [lambda x: 0.0 * x, lambda x: 0.1 * (x - 1e4), lambda x: 3e3 + 0.2 * (x - 4e4), lambda x: 1.5e4 + 0.3 * (x - 1e5)],
        x,
    )

# %% tax_vectorized
def tax_vectorized(income):
    starts, steps = np.array([1e4, 4e4, 1e5]), np.array([0.1, 0.1, 0.1])
    return jnp.einsum("k,...k->...", steps, jax.nn.relu(jnp.expand_dims(income, -1) - starts))
