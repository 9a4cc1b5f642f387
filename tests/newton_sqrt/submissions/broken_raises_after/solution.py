# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    x, _, i = lax.while_loop(
        lambda s: (s[1] >= tol) & (s[2] < 100),
        lambda s: ((s[0] + a / s[0]) / 2, jnp.abs(a / s[0] - s[0]) / 2, s[2] + 1),
        (jnp.maximum(a, 1.0), jnp.inf, 0),
    )
    return x, i


assert newton_sqrt(2.0)[0] == 1.41421356237, "not exactly equal"

# %% extra
print(newton_sqrt_faster(2.0))
