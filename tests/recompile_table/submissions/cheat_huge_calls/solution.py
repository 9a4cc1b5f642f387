# %% answer_predictions
predictions = [3, 3, 2, 3, 4, 3, 4, 2]
added = [1.0, 1.0, 10.0, 1.0]

# %% answer_arguments
deep = x
for _ in range(500):
    deep = [deep]
e1 = [call(np.ones(10_000_000, np.float32)), call(np.ones(20_000_000, np.float32))]
e2 = [call(x)] * 1_000_000
e2_truncated = [call(deep), call(deep)]
e3 = [call([1.0] * 50_000), call([x] * 50_000)]
e4 = [call(x, "a" * 5_000_000), call(x, "b" * 5_000_000), call(x, "a" * 5_000_000)]
e5_keys = [call({str(n): 1.0 for n in range(1000)}), call({str(n): 1.0 for n in range(1001)})]
e5_kinds = [call((x,) * 1000), call([x] * 1000)]
e6 = [call(x, 10**5000), call(x), call(x, factor=10**5000)]

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
