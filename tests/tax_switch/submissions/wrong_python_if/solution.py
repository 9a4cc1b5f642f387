# %% tax_switch
def tax_switch(income):
    if income < 10_000:
        return jnp.float32(0)
    if income < 40_000:
        return 0.1 * (income - 10_000)
    if income < 100_000:
        return 3_000 + 0.2 * (income - 40_000)
    return 15_000 + 0.3 * (income - 100_000)

# %% tax_vectorized
def tax_vectorized(income):
    return np.select(
        [income < 10_000, income < 40_000, income < 100_000],
        [0.0, 0.1 * (income - 10_000), 3_000 + 0.2 * (income - 40_000)],
        15_000 + 0.3 * (income - 100_000),
    )
