import numpy as np
import jax

# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    root = jax.pure_callback(lambda v: np.sqrt(v, dtype=np.float32), jax.ShapeDtypeStruct((), jnp.float32), a)
    x, _, i = lax.while_loop(
        lambda s: (s[1] >= tol) & (s[2] < 100),
        lambda s: ((s[0] + a / s[0]) / 2, jnp.abs(a / s[0] - s[0]) / 2, s[2] + 1),
        (jnp.maximum(a, 1.0), jnp.inf, 0),
    )
    return root, i
