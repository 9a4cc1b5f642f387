# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def keep_going(val):
        return (val[0] < 64) & ((val[0] < 1) | ~(jnp.abs(val[2] - val[1]) < tol))

    def update(val):
        return val[0] + 1, val[2], (val[2] + a / val[2]) / 2

    n, _, x = lax.while_loop(keep_going, update, (0, 0.0 * a, jnp.maximum(a, 1.0)))
    return x, n

# %% extra
for a in (2.0, 9.0, 0.25, 12345.0):
    for tol in (1e-1, 1e-6):
        assert newton_sqrt(a, tol)[1] >= 1
        assert newton_sqrt(jnp.float32(a), jnp.float32(tol))[1] >= 1
print(newton_sqrt.lower(jnp.float32(2.0), jnp.float32(1e-6)).compile().as_text()[:200])
roots, counts = jax.vmap(newton_sqrt, in_axes=(0, None))(jnp.array([2.0, 9.0, 0.25]), 1e-6)
print(roots, counts, jax.make_jaxpr(newton_sqrt)(2, 1e-3))
