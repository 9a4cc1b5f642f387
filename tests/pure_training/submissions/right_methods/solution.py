# %% answer_step
class Regression:
    def __init__(self, power):
        self.power = power

    def loss(self, params, x, y):
        return jnp.mean(jnp.abs(params[0] * x + params[1] - y) ** self.power)

    def step(self, w, b, x, y, lr):
        dw, db = jax.grad(self.loss)((w, b), x, y)
        return w - lr * dw, b - lr * db

    def python(self, w, b, x, y, lr, num_steps):
        for _ in range(num_steps):
            w, b = jitted_step(w, b, x, y, lr)
        return [w, b]

    def fori(self, w, b, x, y, lr, num_steps):
        return lax.fori_loop(0, num_steps, lambda i, p: self.step(p[0], p[1], x, y, lr), (w, b))


model = Regression(power=2)
step = model.step
jitted_step = jax.jit(model.step)

# %% answer_python_loop
train_python_loop = model.python

# %% answer_fori
train_fori = jax.jit(model.fori)
