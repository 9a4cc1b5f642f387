# %% answer_predictions
predictions = ["yes", "no", "yes", "yes", "True", "True", "true", "T"]

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
