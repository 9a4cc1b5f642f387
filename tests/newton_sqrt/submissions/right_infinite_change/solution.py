# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def goes_on(state):
        _, change, count = state
        return (change >= tol) & (count < 100)

    def step(state):
        x, _, count = state
        x_new = 0.5 * (x + a / x)
        return x_new, jnp.abs(x_new - x), count + 1

    x, _, count = lax.while_loop(goes_on, step, (jnp.maximum(a, 1.0), jnp.inf, 0))
    return x, count
