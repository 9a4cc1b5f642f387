# %% answer_step
def step(w, b, x, y, lr):
    err = w * x + b - y
    jax.debug.print("loss {loss}", loss=jnp.mean(err**2))
    return w - lr * jnp.mean(2 * err * x), b - lr * jnp.mean(2 * err)

# %% answer_python_loop
def train_python_loop(w, b, x, y, lr, num_steps):
    losses = []
    for i in range(num_steps):
        w, b = step(w, b, x, y, lr)
        losses.append(float(jnp.mean((w * x + b - y) ** 2)))
        if i % 50 == 49:
            print(f"{i + 1} steps: loss {losses[-1]:.4f}, w = {w:.3f}, b = {b:.3f}")
    return w, b

# %% answer_fori
@jax.jit
def train_fori(w, b, x, y, lr, num_steps):
    def body(i, state):
        jax.debug.print("round {}: {}", i, state[0])
        return step(*state, x, y, lr)

    return lax.fori_loop(0, num_steps, body, (w, b))
