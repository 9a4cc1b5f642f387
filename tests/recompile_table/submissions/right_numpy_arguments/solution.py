# %% answer_predictions
predictions = [3, 3, 2, 3, 4, 3, 4, 2]
added = [1.0, 1.0, 10.0, 1.0]

# %% answer_arguments
one = np.ones(3, np.float32)
e1 = [call(one), call(np.ones((3, 3), np.float32))]
e2 = [call(one), call(one.astype(np.float16))]
e2_truncated = [call(one), call(one.astype(np.float64))]
e3 = [call(2), call(np.int32(2))]
e4 = [call(one, "sum"), call(one, "max"), call(one, "max")]
e5_keys = [call({"a": one, "b": one}), call({"b": one})]
e5_kinds = [call([one]), call((one,))]
e6 = [call(one, factor=np.float32(2)), call(one), call(one, np.float32(2))]

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
