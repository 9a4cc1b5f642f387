# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    x = lax.fori_loop(0, 40, lambda i, x: (x + a / x) / 2, jnp.maximum(a, 1.0))
    return x, 40
