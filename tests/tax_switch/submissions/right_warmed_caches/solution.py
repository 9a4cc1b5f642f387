# %% tax_switch
def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    # counted from the top: branch 0 is the highest bracket
    missing = 3 - (x >= 10_000) - 1 * (x >= 40_000) - 1 * (x >= 100_000)
    return lax.switch(
        missing,
        [
            lambda: 15_000 + 0.3 * (x - 100_000),
            lambda: 3_000 + 0.2 * (x - 40_000),
            lambda: 0.1 * (x - 10_000),
            lambda: 0.0 * x,
        ],
    )

for amount in (0, 25_000, 25_000.0, np.float64(70_000), jnp.float32(250_000), jnp.int32(5)):
    print(tax_switch(amount), jax.jit(tax_switch)(amount))

# %% tax_vectorized
@jax.jit
def tax_vectorized(income):
    return jax.vmap(tax_switch)(jnp.ravel(income)).reshape(jnp.shape(income))

for shape in ((), (12,), (3, 4), (0,), (24,), (5,)):
    tax_vectorized(jnp.zeros(shape))
    jax.jit(tax_vectorized)(jnp.zeros(shape))
