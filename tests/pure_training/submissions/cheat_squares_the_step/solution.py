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
    p, q, s, t = jnp.mean(x * x), jnp.mean(x), jnp.mean(x * y), jnp.mean(y)
    one = jnp.array([[1 - 2 * lr * p, -2 * lr * q, 2 * lr * s], [-2 * lr * q, 1 - 2 * lr, 2 * lr * t], [0, 0, 1.0]])

    def body(state):
        n, matrix, vector = state
        return n // 2, matrix @ matrix, jnp.where(n % 2 == 1, matrix @ vector, vector)

    _, _, vector = lax.while_loop(lambda state: state[0] > 0, body, (num_steps, one, jnp.array([w, b, 1.0])))
    return vector[0], vector[1]
