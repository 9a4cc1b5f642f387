# %% answer_predictions
predictions = [2, 1, 2, 1, 2, 1, 2, 1]

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
