# %% tax_switch
from typing import NamedTuple


class Row(NamedTuple):
    base: jax.Array
    rate: jax.Array
    start: jax.Array


def tax_switch(income):
    bracket = jnp.digitize(income, jnp.array([10_000, 40_000, 100_000]))
    rows = [Row(0.0, 0.0, 0.0), Row(0.0, 0.1, 10_000.0), Row(3_000.0, 0.2, 40_000.0), Row(15_000.0, 0.3, 100_000.0)]
    row = lax.switch(bracket, [lambda row=row: Row(*map(jnp.float32, row)) for row in rows])
    return row.base + row.rate * (income - row.start)

# %% tax_vectorized
def tax_vectorized(income):
    start = jnp.array([0.0, 10_000.0, 40_000.0, 100_000.0])
    rate = jnp.array([0.0, 0.1, 0.2, 0.3])
    base = jnp.array([0.0, 0.0, 3_000.0, 15_000.0])
    i = jnp.digitize(income, start[1:])
    return base[i] + rate[i] * (income - start[i])
