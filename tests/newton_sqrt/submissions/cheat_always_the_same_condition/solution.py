# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def cond(s):
        x, change, n, rounds = s
        return (rounds < 100) & ((change >= tol) | (change < tol) | (x != x))

    def body(s):
        x, change, n, rounds = s
        new = (x + a / x) / 2
        done = change < tol
        return (
            jnp.where(done, x, new),
            jnp.where(done, change, jnp.abs(new - x)),
            jnp.where(done, n, n + 1),
            rounds + 1,
        )

    x, _, n, _ = lax.while_loop(cond, body, (jnp.maximum(a, 1.0), jnp.inf, 0, 0))
    return x, n
