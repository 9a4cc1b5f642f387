# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def cond(s):
        x, i = s
        return (jnp.abs(x * x - a) >= tol) & (i < 100)

    def body(s):
        x, i = s
        return (x + a / x) / 2, i + 1

    return lax.while_loop(cond, body, (jnp.maximum(a, 1.0), 0))
