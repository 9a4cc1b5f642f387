# %% answer_predictions
predictions = {n: {True, False} for n in range(9)}

# %% answer_reasons
reasons = {"first call", "same signature", "shape", "dtype", "weak type", "static value", "argument form", "all"}
