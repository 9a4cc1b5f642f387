# %% newton_sqrt
from functools import partial


@partial(jax.jit, static_argnames="tol")
def newton_sqrt(a, tol=1e-6):
    def cond(s):
        return (s[1] >= tol) & (s[2] < 100)

    def body(s):
        x, _, i = s
        new = (x + a / x) / 2
        return new, jnp.abs(new - x), i + 1

    x, _, i = lax.while_loop(cond, body, (jnp.maximum(a, 1.0), jnp.inf, 0))
    return x, i
