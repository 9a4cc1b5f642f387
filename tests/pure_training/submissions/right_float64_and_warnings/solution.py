import sys
import warnings

import jax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_log_compiles", True)
warnings.warn("this notebook warns")
print("and writes to stderr", file=sys.stderr)

# %% answer_step
@jax.jit
def step(w, b, x, y, lr):
    warnings.warn("tracing step", stacklevel=1)
    print("tracing", w, file=sys.stderr)
    w, b, x, y, lr = (jnp.asarray(v, jnp.float64) for v in (w, b, x, y, lr))
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
    start = (jnp.asarray(w, jnp.float64), jnp.asarray(b, jnp.float64))
    return lax.fori_loop(0, num_steps, lambda i, wb: step(*wb, x, y, lr), start)
