# %% answer_data
def make_data(key, num_points):
    a, b = jax.random.split(key, 2)
    x = jax.random.normal(a, shape=(num_points,))
    return x, 3.0 * x + (-1.0) + jax.random.normal(b, x.shape) * 0.1

# %% answer_step
def step(w, b, x, y, lr):
    n = x.shape[0]
    residual = y - (w * x + b)
    grad_w = -2.0 / n * (residual * x).sum()
    grad_b = -2.0 / n * residual.sum()
    return w - lr * grad_w, b - lr * grad_b

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    params = {"w": w, "b": b}
    for i in range(0, num_steps):
        params["w"], params["b"] = step(params["w"], params["b"], x, y, lr)
    return params["w"], params["b"]

# %% answer_fori
def one_round(i, carry):
    w, b = step(carry["w"], carry["b"], carry["x"], carry["y"], carry["lr"])
    return {**carry, "w": w, "b": b}


@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    carry = {"w": w, "b": b, "x": x, "y": y, "lr": lr}
    carry = lax.fori_loop(0, num_steps, one_round, carry)
    return carry["w"], carry["b"]
