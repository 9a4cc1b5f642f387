# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def go_on(state):
        x, change, steps = state
        return (change >= tol) & (steps < 100)

    def step(state):
        x, change, steps = state
        new = (x + a / x) / 2
        return new, jnp.abs(new - x), steps + 1

    root, _, steps = lax.while_loop(go_on, step, (jnp.maximum(a, 1.0), jnp.inf, 0))
    return root, steps


# %% extra
import time

while True:  # "wait until the server answers"
    time.sleep(1)
