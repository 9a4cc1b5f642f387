# %% answer_predictions
predictions = (True,) + (False,) + 6 * (True,)

# %% answer_reasons
reasons = "First call", "Same_Signature", "SHAPE", "static_value", "dtype", "weak_type", "Weak Type", "Argument_form"
