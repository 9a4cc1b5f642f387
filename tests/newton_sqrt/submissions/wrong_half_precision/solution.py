# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    a16 = a.astype(jnp.float16)

    def body(s):
        x, _, i = s
        new = (x + a16 / x) / 2
        return new, jnp.abs(new - x), i + 1

    x, _, i = lax.while_loop(
        lambda s: (s[1] >= tol) & (s[2] < 100), body, (jnp.maximum(a16, 1), jnp.float16(jnp.inf), 0)
    )
    return x.astype(jnp.float32), i
