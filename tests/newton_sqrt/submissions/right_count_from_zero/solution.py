# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    improve = lambda x: 0.5 * x + 0.5 * a / x
    old = jnp.maximum(1.0, a)
    pair = jnp.stack([old, improve(old)])

    def going(s):
        (old, new), n = s
        return jnp.where(n < 200, jnp.abs(new - old) >= tol, False)

    def go(s):
        (_, new), n = s
        return jnp.stack([new, improve(new)]), n + 1

    pair, n = lax.while_loop(going, go, (pair, 0))
    return pair[1], n
