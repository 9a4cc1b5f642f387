# %% tax_switch
def tax_switch(income):
    income = jnp.asarray(income, dtype=jnp.float32)
    jax.debug.print("income {x}", x=income)

    def high(x):
        jax.debug.print("a high income: {x}", x=x)
        return 15_000 + (x - 100_000) * 0.3

    branches = [lambda x: x * 0, lambda x: (x - 10_000) * 0.1, lambda x: 3_000 + (x - 40_000) * 0.2, high]
    index = jnp.where(income < 10_000, 0, jnp.where(income < 40_000, 1, jnp.where(income < 100_000, 2, 3)))
    return lax.switch(index, branches, income)

print(tax_switch(250_000))

# %% tax_vectorized
tax_vectorized = jnp.vectorize(tax_switch)
