import numpy as np

# %% answer_predictions
predictions = np.ones(8, dtype=bool)
predictions[1] = False

# %% answer_reasons
reasons = np.array(['first call', 'same signature', 'shape', 'static value', 'dtype', 'shape', 'weak type', 'argument form'])
