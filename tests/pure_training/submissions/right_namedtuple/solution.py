from typing import NamedTuple

import jax


class Line(NamedTuple):
    w: jax.Array
    b: jax.Array

# %% answer_step
@jax.jit
def step(w, b, x, y, lr):
    err = w * x + b - y
    grad = Line(2 * jnp.mean(err * x), 2 * jnp.mean(err))
    return jax.tree.map(lambda value, slope: value - lr * slope, Line(w, b), grad)

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    line = Line(w, b)
    while num_steps > 0:
        line = step(*line, x, y, lr)
        num_steps -= 1
    return line

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    return lax.fori_loop(0, num_steps, lambda i, line: step(line.w, line.b, x, y, lr), Line(w, b))
