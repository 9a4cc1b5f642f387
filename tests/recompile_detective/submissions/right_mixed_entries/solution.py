import sys
import warnings

import numpy as np

# %% answer_predictions
warnings.warn("about to answer")
predictions = [True, np.False_, 1, jnp.bool_(True), np.int8(1), jnp.float32(1), np.array(True), 1.0]
print("done", file=sys.stderr)

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
assert False, 'to be continued'
