# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def body(s, _):
        def more(s):
            x, _, n = s
            new = (x + a / x) / 2
            return new, jnp.abs(new - x), n + 1

        return lax.cond(s[1] < tol, lambda s: s, more, s), None

    (x, _, n), _ = lax.scan(body, (jnp.maximum(a, 1.0), jnp.float32(jnp.inf), jnp.int32(0)), length=100)
    return x, n
