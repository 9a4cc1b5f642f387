# %% answer_predictions
predictions = [True, False, True, True, True, True, True, True]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "argument form",
    "dtype",
    "shape",
    "shape",
    "static value",
]
