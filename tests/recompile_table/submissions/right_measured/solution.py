# %% answer_predictions
def programs_of(*names):
    def run(row):
        with count_compiles() as compiles:
            row()
        return sum(compile.function in names for compile in compiles.events)

    return run


jax.clear_caches()
predictions = [
    programs_of("scale")(lambda: [scale(v) for v in (jnp.ones(3), jnp.ones(3) * 5, jnp.ones(4), jnp.ones((1, 3)))]),
]
jax.clear_caches()
predictions.append(
    sum(explain_recompile(scale, *[call(np.ones(3, t)) for t in ("float32", "int32", "float64", "float16")]).compiled)
)
jax.clear_caches()
predictions += [sum(explain_recompile(scale, *map(call, (1.0, 7.5, jnp.float32(1.0), jnp.float32(7.5)))).compiled)]
predictions += [sum(explain_recompile(reduce, *[call(x, how=h) for h in ("sum", "product", "sum", "prod")]).compiled)]
trees = ({"a": x}, {"a": x, "b": x}, {"b": x, "a": x}, (x, x), [x, x])
predictions += [sum(explain_recompile(total, *map(call, trees)).compiled)]
jax.clear_caches()
predictions += [sum(explain_recompile(scale, call(x), call(x, 2.0), call(x, factor=2.0), call(x)).compiled)]


def row_7():
    for _ in range(3):
        jax.jit(lambda x: x + 1)(x)
    for _ in range(3):
        jax.jit(add_one)(x)


predictions += [programs_of("add_one", "<lambda>")(row_7)]
added = []


def row_8():
    global step
    added.append(float(shift(x)[0]) - 1)
    step = 10.0
    added.append(float(shift(x)[0]) - 1)
    added.append(float(shift(jnp.ones(4))[0]) - 1)
    added.append(float(shift(x)[0]) - 1)


predictions += [programs_of("shift")(row_8)]

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
