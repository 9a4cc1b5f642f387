from functools import partial

# %% tax_switch
@partial(jax.jit, static_argnums=0)
def tax_switch(income):
    index = 0 if income < 10_000 else 1 if income < 40_000 else 2 if income < 100_000 else 3
    branches = [lambda x: 0.0 * x, lambda x: 0.1 * (x - 1e4), lambda x: 3e3 + 0.2 * (x - 4e4), lambda x: 1.5e4 + 0.3 * (x - 1e5)]
    return lax.switch(index, branches, jnp.float32(income))

# %% tax_vectorized
def tax_vectorized(income):
    return jnp.array([tax_switch(float(x)) for x in np.asarray(income).ravel()]).reshape(np.shape(income))
