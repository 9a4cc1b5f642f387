# %% answer_predictions
predictions = [True, False, True, True, True, True, True]

# %% answer_reasons
reasons = [
    "none",
    "first call",
    "same signature",
    "shape",
    "static value",
    "dtype",
    "weak type",
    "weak type",
    "argument form",
]
