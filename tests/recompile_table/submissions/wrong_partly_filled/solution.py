# %% answer_predictions
predictions = [3, None, 2, 3, None, 3, 4, 2]
added = [1.0, None, 10.0, ...]

# %% answer_arguments
e1 = [call(jnp.ones(3)), call(jnp.ones(4))]
e2 = [call(jnp.ones(3)), call(jnp.ones(3, jnp.int32))]
e2_truncated = [call(jnp.ones(3)), call(np.ones(3))]
e3 = None
e4 = [call(x, how="sum"), call(x, how="product"), call(x, how="sum")]
e5_keys = [call({"a": x}), call({"a": x, "b": x})]
e5_kinds = [call((x, x)), call([x, x])]
e6 = [call(x), None, None]

# %% answer_e7
new_functions = [lambda x: 2 * x, lambda x: 2 * x, lambda x: 2 * x]


def twice(x):
    return 2 * x


same_function = [twice, twice, None]

# %% answer_e8
offset = 1.0


@jax.jit
def shifted(x):
    return x + offset


def set_offset(value):
    global offset
    offset = value
