# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    x, n, done = jnp.maximum(a, 1.0), 0, False
    for _ in range(30):
        new = (x + a / x) / 2
        n = n + jnp.where(done, 0, 1)
        x, done = jnp.where(done, x, new), done | (jnp.abs(new - x) < tol)
    found, count = lax.while_loop(lambda s: s[1] < n, lambda s: (x, s[1] + 1), (0.0 * x, 0))
    return found, count
