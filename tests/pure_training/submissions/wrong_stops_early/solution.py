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
    def more(state):
        i, w, b, change = state
        return (i < num_steps) & (change > 0.02)

    def body(state):
        i, w, b, _ = state
        new_w, new_b = step(w, b, x, y, lr)
        return i + 1, new_w, new_b, jnp.abs(new_w - w)

    return lax.while_loop(more, body, (0, w, b, jnp.inf))[1:3]
