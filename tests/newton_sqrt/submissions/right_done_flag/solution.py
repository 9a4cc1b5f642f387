# %% newton_sqrt
import functools


@functools.partial(jax.jit, inline=True)
def newton_step(x, a):
    return (x + a / x) / 2


@jax.jit
def newton_sqrt(a, tol=1e-6):
    def body(carry):
        x, n, done = carry
        nxt = newton_step(x, a)
        return nxt, n + jnp.uint8(1), jnp.abs(nxt - x) < tol

    x0 = jnp.ones_like(a)  # from 1 as from a itself the first step leads to (a + 1) / 2
    x, n, _ = lax.while_loop(
        lambda carry: ~(carry[2] | (carry[1] >= 100)), body, (x0, jnp.uint8(0), jnp.bool_(False))
    )
    return x, n.astype(jnp.int32)
