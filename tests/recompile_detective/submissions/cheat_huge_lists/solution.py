# %% answer_predictions
predictions = [True, False] * 5_000_000

# %% answer_reasons
reasons = ["first call", "same signature", "shape", "dtype"] * 20_000
