# %% answer_data
def make_data(key, num_points):
    kx, kn = jax.random.split(key)
    x = jax.random.uniform(kx, (num_points,), minval=-2, maxval=2)
    return x, 3 * x - 1 + 0.1 * jax.random.normal(kn, (num_points,))


x, y = make_data(jax.random.key(1), 100)
w, b = jnp.float32(0), jnp.float32(0)
lr, num_steps = 0.1, 200
history = [w, b]

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
    return lax.fori_loop(0, num_steps, lambda i, wb: step(*wb, x, y, lr), (w, b))

# %% extra
print(train_python_loop(w, b, x, y, lr, num_steps))
print(train_fori(w, b, x, y, lr, num_steps))
print(train_fori(w, b, x, y, jnp.float32(lr), 10), train_fori(0.0, 0.0, x, y, lr, 10))
leaks = []
jax.jit(lambda a: leaks.append(a) or a)(1.0)
