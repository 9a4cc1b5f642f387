# %% answer_step
def step(w, b, x, y, lr):
    err = w * x + b - y
    dw = jnp.mean(2 * err * x)
    db = jnp.mean(2 * err)
    new_w = w - lr * dw
    new_b = b - lr * db
    return new_w, new_b

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    fast = jax.jit(step)
    for _ in range(num_steps):
        w, b = fast(w, b, x, y, lr)
    return w, b

# %% answer_fori
def _train(w, b, x, y, lr, num_steps):
    def body(_, carry):
        w, b = carry
        return step(w, b, x, y, lr)

    return lax.fori_loop(0, num_steps, body, (w, b))


train_fori = jax.jit(_train)
