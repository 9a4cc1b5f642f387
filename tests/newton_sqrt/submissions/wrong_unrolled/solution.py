# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    x = jnp.maximum(a, 1.0)
    count = 0
    done = False
    for _ in range(30):
        new = (x + a / x) / 2
        count = count + jnp.where(done, 0, 1)
        x, done = jnp.where(done, x, new), done | (jnp.abs(new - x) < tol)
    return x, count
