# %% answer_predictions
predictions = [True, False, True, True, True, True, True, True]

# %% answer_reasons
reasons = [
    "First call.",
    "same signature",
    "the shape changed",
    "mode",
    "int32 instead of float32",
    "Python scalar",
    "not weak any more",
    "keyword argument",
]
