# %% answer_step
def make_update(x, y, lr):
    design = jnp.stack([x, jnp.ones_like(x)], axis=1)

    def update(theta):
        return theta - lr * (2 / len(x)) * design.T @ (design @ theta - y)

    return update


@jax.jit
def step(w, b, x, y, lr):
    theta = make_update(x, y, lr)(jnp.array([w, b]))
    return theta[0], theta[1]

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    for _ in range(num_steps):
        w, b = step(w, b, x, y, lr)
    return w, b

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    update = make_update(x, y, lr)
    w, b = lax.fori_loop(0, num_steps, lambda _, theta: update(theta), jnp.array([w, b]))
    return w, b
