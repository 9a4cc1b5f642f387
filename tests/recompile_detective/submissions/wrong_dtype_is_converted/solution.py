# %% answer_predictions
predictions = [True, False, True, True, False, True, True, True]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "static value",
    "same signature",
    "weak type",
    "weak type",
    "argument form",
]
