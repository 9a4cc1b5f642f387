# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    bits = lax.bitcast_convert_type(jnp.maximum(a, 1e-30), jnp.int32)
    x = lax.bitcast_convert_type((bits >> 1) + jnp.int32(0x1FBD1DF5), jnp.float32)
    for _ in range(4):
        x = (x + a / x) / 2
    rounds = 8 + (a < 0)
    return lax.while_loop(
        lambda s: s[1] < rounds,
        lambda s: (jnp.where(s[1] == rounds - 1, x, 0.0), s[1] + 1),
        (jnp.float32(0), jnp.int32(0)),
    )
