# %% answer_step
@jax.jit
def step(w, b, x, y, lr):
    err = w * x + b - y
    return w - lr * jnp.mean(2 * err * x), b - lr * jnp.mean(2 * err)

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    for _ in range(num_steps):
        w, b = step(w, b, x, y, lr)
    return w, b

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    first = step(w, b, x, y, lr)
    w, b = (jnp.where(num_steps > 0, new, old) for new, old in zip(first, (w, b)))

    def more(state):
        return state[2] < num_steps

    def body(state):
        w, b, done = state
        w, b = step(w, b, x, y, lr)
        return w, b, done + 1

    w, b, _ = lax.while_loop(more, body, (w, b, 1))
    return w, b
