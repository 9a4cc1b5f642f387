# %% answer_predictions
predictions = [True, False, True, True, True, True, True, False]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "static value",
    "dtype",
    "weak type",
    "weak type",
    "same signature",
]
