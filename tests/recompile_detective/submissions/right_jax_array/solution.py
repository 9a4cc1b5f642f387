# %% answer_predictions
predictions = jnp.arange(1, 9) != 2

# %% answer_reasons
found = {1: "first call", 2: "same signature", 3: "shape", 5: "dtype"}
found |= dict.fromkeys((4, 8), "static value")
found |= dict.fromkeys((6, 7), "weak type")
reasons = [found[number] for number in sorted(found)]
