# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    def cond(carry):
        i, x, err = carry
        return jnp.logical_and(i < 100, err >= tol)

    def body(carry):
        i, x, err = carry
        new = x - (x * x - a) / (2 * x)
        jax.debug.print("step {i}: x = {x}, off by {off}", i=i, x=new, off=new - jnp.sqrt(a))
        return i + 1, new, jnp.abs(new - x)

    i, x, _ = lax.while_loop(cond, body, (0, jnp.where(a > 1, a, 1.0), jnp.float32(jnp.inf)))
    jax.debug.print("{a} -> {x} in {i}", a=a, x=x, i=i)
    return x, i
