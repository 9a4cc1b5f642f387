# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    x, change, i = jnp.maximum(a, 1.0), jnp.inf, 0
    while change >= tol and i < 100:
        new = (x + a / x) / 2
        x, change, i = new, jnp.abs(new - x), i + 1
    return x, i
