import numpy as np

# %% answer_predictions
traces = []


def spy(x, mode="a"):
    traces.append((x, mode))
    return x * 2 if mode == "a" else x + 1


spied = jax.jit(spy, static_argnames=["mode"])
predictions = np.zeros(8)
arguments = [jnp.ones(3), jnp.ones(3) * 5, jnp.ones(4), jnp.ones(3), jnp.ones(3, jnp.int32), 1.0, jnp.float32(1.0)]
for k in range(8):
    before = len(traces)
    if k == 3:
        spied(arguments[k], mode="b")
    elif k == 7:
        spied(arguments[0], mode="a")
    else:
        spied(arguments[k])
    predictions[k] = len(traces) > before

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "static value",
    "dtype",
    "weak type",
    "weak type",
    "argument form",
]
