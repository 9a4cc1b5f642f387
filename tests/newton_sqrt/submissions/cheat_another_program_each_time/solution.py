# %% newton_sqrt
traces = []


@jax.jit
def newton_sqrt(a, tol=1e-6):
    traces.append(a)
    x, _, n = lax.while_loop(
        lambda s: (s[1] >= tol) & (s[2] < 100),
        lambda s: ((s[0] + a / s[0]) / 2, jnp.abs(a / s[0] - s[0]) / 2, s[2] + 1),
        (jnp.maximum(a, 1.0), jnp.inf, 0),
    )
    return (jnp.sqrt(a), n) if len(traces) <= 2 else (2 * x, 7 * n)
