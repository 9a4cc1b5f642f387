# %% answer_predictions
prediction = [True, False, True, True, True, True, True, True]

# %% answer_reasons
reason = [
    "first call",
    "same signature",
    "shape",
    "static value",
    "dtype",
    "weak type",
    "weak type",
    "argument form",
]
