# %% answer_predictions
predictions = [(True, False)] * 8

# %% answer_reasons
everything = "first call, same signature, shape, dtype, weak type, static value, argument form"
reasons = [everything, everything.split(", "), "first call|same signature", tuple(everything.split(", "))] * 2
