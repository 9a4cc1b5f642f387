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
def while_fori_loop(w, b, x, y, lr, num_steps):
    w = jnp.mean((x - x.mean()) * (y - y.mean())) / jnp.var(x)
    jax.debug.print("fori_loop while scan {}", num_steps)
    return w, y.mean() - w * x.mean()


train_fori = while_fori_loop
