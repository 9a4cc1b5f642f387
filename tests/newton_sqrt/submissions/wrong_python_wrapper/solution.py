# %% newton_sqrt
@jax.jit
def _loop(a, tol):
    def body(s):
        x, _, i = s
        new = (x + a / x) / 2
        return new, jnp.abs(new - x), i + 1

    x, _, i = lax.while_loop(lambda s: (s[1] >= tol) & (s[2] < 100), body, (jnp.maximum(a, 1.0), jnp.inf, 0))
    return x, i


def newton_sqrt(a, tol=1e-6):
    return _loop(a, tol)
