# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    guess = jnp.exp(0.5 * jnp.log(jnp.maximum(a, 1e-30)))
    root, n = lax.while_loop(lambda s: (s[1] < 2) & (s[0] + tol > 0), lambda s: ((s[0] + a / s[0]) / 2, s[1] + 1), (guess, 0))
    return root, n
