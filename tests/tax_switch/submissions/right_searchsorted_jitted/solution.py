# %% tax_switch
EDGES = jnp.array([10_000.0, 40_000.0, 100_000.0])
BRANCHES = [
    lambda x: 0.0 * x,
    lambda x: 0.1 * (x - 10_000.0),
    lambda x: 3_000.0 + 0.2 * (x - 40_000.0),
    lambda x: 15_000.0 + 0.3 * (x - 100_000.0),
]


@jax.jit
def tax_switch(income):
    return lax.switch(jnp.searchsorted(EDGES, income, side="right"), BRANCHES, income)

# %% tax_vectorized
@jax.jit
def tax_vectorized(income):
    parts = [branch(income) for branch in BRANCHES]
    return jnp.select([income < edge for edge in EDGES], parts[:3], parts[3])
