# %% answer_predictions
predictions = [True, False, True, None, None, ..., None, None]

# %% answer_reasons
reasons = ["first call", "same signature", "shape", "static value", "dtype", None, None, None]
