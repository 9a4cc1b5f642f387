# %% newton_sqrt
MAX_STEPS = 1000


def not_done(state):
    x_old, x, tol, a, i = state
    return (jnp.abs(x - x_old) >= tol) & (i < MAX_STEPS)


def better(state):
    x_old, x, tol, a, i = state
    return x, (x**2.0 + a) / (2.0 * x), tol, a, i + 1


@jax.jit
def newton_sqrt(a, tol=1e-6):
    a, tol = jnp.float32(a), jnp.float32(tol)
    x0 = jnp.clip(a, 1.0, None)
    _, x, _, _, i = lax.while_loop(not_done, better, (jnp.float32(-1.0) * x0, x0, tol, a, 0))
    return [x, i]
