# %% answer_predictions
predictions = [True, False, False, False, False, False, False, False]

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "same signature",
    "same signature",
    "same signature",
    "same signature",
    "same signature",
    "same signature",
]
