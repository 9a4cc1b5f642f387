# %% answer_predictions
predictions = [True, False, True, True, True, False, True, True]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "static value",
    "dtype",
    "argument form",
    "shape",
    "argument form",
]
