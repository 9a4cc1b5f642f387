# %% answer_predictions
predictions = [True, True, True, True, True, True, True, False]

# %% answer_reasons
reasons = [
    "first call",
    "dtype",
    "shape",
    "static value",
    "dtype",
    "shape",
    "weak type",
    "same signature",
]
