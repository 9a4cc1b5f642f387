# %% answer_predictions
predictions = [True, False, True, True, True, True, False, True]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "static value",
    "dtype",
    "dtype",
    "same signature",
    "argument form",
]
