# %% answer_predictions
predictions = [True, False, True, False, True, True, True, False]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "same signature",
    "dtype",
    "weak type",
    "weak type",
    "same signature",
]
