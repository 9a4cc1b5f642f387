# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def body(_, s):
        x, change, n = s
        new = (x + a / x) / 2
        done = change < tol
        return jnp.where(done, x, new), jnp.where(done, change, jnp.abs(new - x)), jnp.where(done, n, n + 1)

    x, _, n = lax.fori_loop(0, 100, body, (jnp.maximum(a, 1.0), jnp.inf, 0))
    return x, n
