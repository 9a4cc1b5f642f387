# %% answer_predictions
predictions = [True, False, False, True, True, True, True, True]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "same signature",
    "static value",
    "dtype",
    "weak type",
    "weak type",
    "argument form",
]
