# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def body(s):
        x, _, i = s
        new = (x + a / x) / 2
        return new, jnp.abs(new - x), i + 1

    x, _, i = lax.while_loop(lambda s: (s[1] >= tol) & (s[2] < 100), body, (jnp.maximum(a, 1.0), jnp.inf, 0))
    y = jnp.maximum(a, 1.0)
    for _ in range(22):
        y = (y + a / y) / 2
    return y + 0.0 * x, i
