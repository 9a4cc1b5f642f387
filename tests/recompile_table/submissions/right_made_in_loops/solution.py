# %% answer_predictions
predictions = [3, 3, 2, 3, 4, 3, 4, 2]
added = [1.0, 1.0, 10.0, 1.0]

# %% answer_arguments
e1 = [call(jnp.ones(n)) for n in (3, 4)]
e2 = [call(jnp.ones(3, dtype)) for dtype in ("float32", "uint8")]
e2_truncated = [call(np.arange(3).astype(dtype)) for dtype in ("int64", "int32")]
e3 = [call(n) for n in (5, jnp.int32(5))]
e4 = [call(x, how=how) for how in ("sum", None, "sum")]
e5_keys = [call(dict.fromkeys(keys, x)) for keys in ("ab", "abc")]
e5_kinds = [call(kind([x, 2.0])) for kind in (list, tuple)]
e6 = [call(x, *args, **named) for args, named in (((3,), {}), ((), {"factor": 3}), ((), {}))]

# %% answer_e7
def make():
    def double(x):
        return x * 2

    return double


new_functions = [make() for _ in range(3)]
same_function = [make()] * 3

# %% answer_e8
offset = 1.0


@jax.jit
def shifted(x):
    return x + offset


def set_offset(value):
    global offset
    offset = value
