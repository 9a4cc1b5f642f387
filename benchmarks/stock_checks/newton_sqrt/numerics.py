import numpy as np

for number in (1.5, 2.0, 7.3, 42.0, 99.5, 512.0, 3_300.0, 9_999.0, 0.9, 0.25, 0.031, 0.004, 2e4, 7e5, 3.3e6, 9.9e6):
    root, count = newton_sqrt(jnp.float32(number), jnp.float32(1e-6))
    assert np.isclose(float(root), np.sqrt(number), rtol=1e-5), number
root, count = newton_sqrt(jnp.float32(0.0), jnp.float32(1e-6))
assert np.isfinite(root) and abs(float(root)) < 1e-3
root, count = newton_sqrt(jnp.float32(7.0), jnp.float32(0.0))
assert np.isclose(float(root), np.sqrt(7.0), rtol=1e-5)
