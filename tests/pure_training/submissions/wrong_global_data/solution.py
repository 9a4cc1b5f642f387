# %% answer_data
def make_data(key, num_points):
    kx, kn = jax.random.split(key)
    x = jax.random.normal(kx, (num_points,))
    return x, 3 * x - 1 + 0.1 * jax.random.normal(kn, (num_points,))


xs, ys = make_data(jax.random.key(0), 100)

# %% answer_step
def loss(w, b):
    return jnp.mean((w * xs + b - ys) ** 2)


@jax.jit
def step(w, b, x, y, lr):
    dw, db = jax.grad(loss, argnums=(0, 1))(w, b)
    return w - lr * dw, b - lr * db

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    for _ in range(num_steps):
        w, b = step(w, b, x, y, lr)
    return w, b

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    return lax.fori_loop(0, num_steps, lambda i, wb: step(*wb, x, y, lr), (w, b))
