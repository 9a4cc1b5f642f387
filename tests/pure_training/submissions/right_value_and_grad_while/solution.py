# %% answer_step
def loss(params, x, y):
    w, b = params
    return jnp.mean((w * x + b - y) ** 2.0)


def step(w, b, x, y, lr):
    value, grads = jax.value_and_grad(loss)((w, b), x, y)
    return tuple(jax.tree.map(lambda p, g: p - lr * g, (w, b), grads))

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    for _ in range(num_steps):
        w, b = step(w, b, x, y, lr)
    return w, b

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    def body(state):
        left, w, b = state
        return (left - 1, *step(w, b, x, y, lr))

    return lax.while_loop(lambda state: state[0] > 0, body, (num_steps, w, b))[1:]
