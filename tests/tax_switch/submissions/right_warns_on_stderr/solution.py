import sys
import warnings

# %% tax_switch
@jax.jit
def tax_switch(income):
    """Tax with lax.switch."""
    warnings.warn("tracing tax_switch")
    print("tracing", file=sys.stderr)
    income = jnp.asarray(income).astype(jnp.float64)
    limits = jnp.array([10_000, 40_000, 100_000], dtype=jnp.float64)
    k = jnp.argmax(jnp.append(income < limits, True))
    return lax.switch(
        k,
        [
            lambda t: jnp.zeros((), t.dtype),
            lambda t: 0.1 * t - 1_000,
            lambda t: 0.2 * t - 5_000,
            lambda t: 0.3 * t - 15_000,
        ],
        income,
    )

print(tax_switch(70_000), file=sys.stderr)

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, float)
    return jnp.piecewise(
        x,
        [x < 10_000, (x >= 10_000) & (x < 40_000), (x >= 40_000) & (x < 100_000)],
        [0.0, lambda x: 0.1 * (x - 10_000), lambda x: 3_000 + 0.2 * (x - 40_000), lambda x: 15_000 + 0.3 * (x - 100_000)],
    )
