# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def cond(s):
        x, prev, i = s
        return (jnp.abs(x - prev) >= tol) & (i < 100)

    def body(s):
        x, _, i = s
        return 0.5 * (x + a / x), x, i + 1

    x0 = jnp.where(a < 1.0, 1.0, a)
    x, _, i = lax.while_loop(cond, body, (x0, x0 + 1.0, 0))
    return x, i
