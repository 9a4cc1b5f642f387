# %% tax_switch
def tax_switch(income):
    income = income * 1.0
    bracket = (income > 10_000).astype(int) + (income > 40_000).astype(int) + (income > 100_000).astype(int)

    def nothing():
        return 0.0 * income

    def low():
        return income / 10 - 1_000

    def middle():
        return income / 5 - 5_000

    def high():
        return income * 3 / 10 - 15_000

    return lax.switch(bracket, (nothing, low, middle, high))

# %% tax_vectorized
def tax_vectorized(income):
    tax = jnp.zeros(income.shape)
    tax = jnp.where(income > 10_000, income / 10 - 1_000, tax)
    tax = jnp.where(income > 40_000, income / 5 - 5_000, tax)
    return jnp.where(income > 100_000, income * 3 / 10 - 15_000, tax)
