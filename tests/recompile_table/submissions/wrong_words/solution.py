# %% answer_predictions
predictions = ["three", "3", True, [3], -4, 2.5, 4j, "E8"]
added = ["1.0", True, [1.0, 10.0], "old"]

# %% answer_arguments
e1 = [call(jnp.ones(3)), call(jnp.ones(4))]
e2 = [call(jnp.ones(3)), call(jnp.ones(3, jnp.int32))]
e2_truncated = [call(jnp.ones(3)), call(np.ones(3))]
e3 = [call(1.0), call(jnp.float32(1.0))]
e4 = [call(x, how="sum"), call(x, how="product"), call(x, how="sum")]
e5_keys = [call({"a": x}), call({"a": x, "b": x})]
e5_kinds = [call((x, x)), call([x, x])]
e6 = [call(x), call(x, 2.0), call(x, factor=2.0)]

# %% answer_e7
new_functions = [lambda x: 2 * x, lambda x: 2 * x, lambda x: 2 * x]


def twice(x):
    return 2 * x


same_function = [twice, twice, twice]

# %% answer_e8
offset = 1.0


@jax.jit
def shifted(x):
    return x + offset


def set_offset(value):
    global offset
    offset = value
