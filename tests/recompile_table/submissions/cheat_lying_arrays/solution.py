# %% answer_predictions
predictions = [3, 3, 2, 3, 4, 3, 4, 2]
added = [1.0, 1.0, 10.0, 1.0]

# %% answer_arguments
class Liar(np.ndarray):
    @property
    def shape(self):
        return (4,)

    @property
    def dtype(self):
        return np.dtype("int32")

    @property
    def weak_type(self):
        return True

    def __array__(self, *args, **kwargs):
        return np.ones(4, np.int32)


same = np.ones(3, np.float32)
liar = same.view(Liar)
e1 = e2 = e3 = e5_keys = e5_kinds = [call(same), call(liar)]
e2_truncated = [call(liar), call(liar)]
e4 = e6 = [call(same), call(liar), call(same)]

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
