# %% answer_predictions
predictions = [3, 3, 2, 3, 4, 3, 4, 2]
added = [1.0, 1.0, 10.0, 1.0]

# %% answer_arguments
e1 = [call(), call(jnp.ones(4))]
e2 = [call("three"), call("four")]
e2_truncated = [call(jnp.ones(3), np.ones(4)), call(np.ones(3), np.ones(4))]
e3 = [call(x, 1.0, 2.0), call(x, 1.0, 2.0)]
e4 = [call(x, ["sum"]), call(x, ["product"]), call(x, ["sum"])]
e5_keys = [call(tree=x, trees=x), call(x)]
e5_kinds = [call([x, "x"]), call((x, "x"))]
e6 = [call(x, factor={}), call(x, {}), call(x)]

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
