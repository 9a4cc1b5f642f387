# %% answer_predictions
predictions = "TFTTTTTT"

# %% answer_reasons
reasons = "first call, same signature, shape, static value, dtype, weak type, weak type, argument form"
