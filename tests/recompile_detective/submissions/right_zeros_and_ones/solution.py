# %% answer_predictions
predictions = [1, 0, 1, 1, 1, 1, 1, 1]

# %% answer_reasons
reasons = ["first-call", "same-signature", "shape", "staticvalue", "dtype", "weak-type", "weak-type", "argument - form "]
