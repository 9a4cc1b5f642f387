# %% answer_step
def moments(x, y):
    return jnp.mean(x * x), jnp.mean(x), jnp.mean(x * y), jnp.mean(y)


def move(w, b, data, lr):
    xx, x, xy, y = data
    return w - 2 * lr * (w * xx + b * x - xy), b - 2 * lr * (w * x + b - y)


def step(w, b, x, y, lr):
    return move(w, b, moments(x, y), lr)

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    fast = jax.jit(lambda w, b: step(w, b, x, y, lr))
    for _ in range(num_steps):
        w, b = fast(w, b)
    return w, b

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    data = moments(x, y)
    return lax.fori_loop(0, num_steps, lambda i, wb: move(*wb, data, lr), (w, b))
