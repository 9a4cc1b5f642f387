# %% answer_step
@jax.jit
def step(w, b, x, y, lr):
    err = w * x + b - y
    return w - lr * jnp.mean(2 * err * x), b - lr * jnp.mean(2 * err)

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    for i in range(num_steps):
        if i % 10 == 0:
            faster = jax.jit(lambda w, b: step(w, b, x, y, lr))
        w, b = faster(w, b)
    return w, b

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    return lax.fori_loop(0, num_steps, lambda i, wb: step(*wb, x, y, lr), (w, b))
