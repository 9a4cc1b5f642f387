# %% newton_sqrt
@jax.custom_jvp
def _root(a, tol):
    safe = jnp.where(a == 0, 1.0, a)

    def cond(s):
        return jnp.all(jnp.array([s[1] >= tol, s[2] < 100]))

    def body(s):
        r = a / s[0]
        new = s[0] + (r - s[0]) / 2
        return new, lax.abs(new - s[0]), lax.add(s[2], 1)

    x, _, n = lax.while_loop(cond, body, (jnp.fmax(safe, 1.0), jnp.finfo(jnp.float32).max, 0))
    return jnp.where(a == 0, 0.0, x), n


@_root.defjvp
def _root_jvp(primals, tangents):
    x, n = _root(*primals)
    return (x, n), (tangents[0] / (2 * x), jnp.zeros((), jax.dtypes.float0))


newton_sqrt = jax.jit(lambda a, tol=1e-6: _root(a, tol))
newton_sqrt.__doc__ = "Square root and count."

# %% extra
jax.grad(lambda a: newton_sqrt(a, 1e-6)[0])(4.0)
