# %% answer_predictions
ones = jnp.ones(3)
calls = [
    lambda: detective(ones),
    lambda: detective(ones_times_five),
    lambda: detective(four),
    lambda: detective(ones, mode="b"),
    lambda: detective(whole),
    lambda: detective(1.0),
    lambda: detective(scalar),
    lambda: detective(ones, mode="a"),
]
ones_times_five, four, whole, scalar = ones * 5, jnp.ones(4), jnp.ones(3, jnp.int32), jnp.float32(1.0)
predictions = []
for call in calls:
    with count_compiles("detective") as compiles:
        call()
    predictions.append(compiles())

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
