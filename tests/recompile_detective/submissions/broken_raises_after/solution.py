# %% answer_predictions
predictions = [True, False, True, True, True, True, True, True]
raise NotImplementedError()

# %% answer_reasons
reasons = [
    "first call",
    "same signature",
    "shape",
    "static value",
    "dtype",
    "weak type",
    "weak type",
    "argument form",
]
print(reasons[8])

# %% extra
print(accuracy(predictions))
