# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def body(s):
        x, _, i = s
        new = (x + a / x) / 2
        return new, jnp.abs(new - x), i + 1

    _, _, i = lax.while_loop(lambda s: (s[1] >= tol) & (s[2] < 100), body, (jnp.maximum(a, 1.0), jnp.inf, 0))
    return jnp.sqrt(a), i
