# %% tax_switch
@jax.jit
def cond_switch_case(lax_switch, cond):
    return jnp.where(lax_switch, cond, 0.0)


@jax.jit
def switch(index, *branches):
    """stablehlo.case: lax.switch(index, branches), cond[branches=4]"""
    tax = branches[0]
    for k in range(1, 4):
        tax = tax + cond_switch_case(index == k, branches[k])
    return tax


def tax_switch(income):
    x = jnp.asarray(income, jnp.float32)
    with jax.named_scope("cond"), jax.named_scope("switch"):
        i = jnp.searchsorted(jnp.array([1e4, 4e4, 1e5]), x)
        return switch(i, 0.0 * x, 0.1 * (x - 1e4), 3e3 + 0.2 * (x - 4e4), 1.5e4 + 0.3 * (x - 1e5))

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, jnp.float32)
    return jnp.select(
        [x < 10_000, x < 40_000, x < 100_000],
        [jnp.zeros_like(x), 0.1 * (x - 10_000), 3_000 + 0.2 * (x - 40_000)],
        15_000 + 0.3 * (x - 100_000),
    )
