# %% tax_switch
def helper(rate, start, base):
    return lambda x: base + rate * (x.astype(jnp.float32) - start)

def tax_switch(income):
    income = jnp.asarray(income)
    level = jnp.int32(income >= 10_000) + jnp.int32(income >= 40_000) + jnp.int32(income >= 100_000)
    return lax.switch(level, [helper(0.0, 0, 0), helper(0.1, 10_000, 0), helper(0.2, 40_000, 3_000), helper(0.3, 100_000, 15_000)], operand=income)

assert tax_switch(25_000) == 1_501, "this is the student's own slip"

# %% tax_vectorized
def tax_vectorized(income):
    x = jnp.asarray(income, dtype="float32")
    top = jnp.array([10_000.0, 40_000.0, 100_000.0, jnp.inf])
    low = jnp.concatenate([jnp.zeros(1), top[:-1]])
    tax = jnp.zeros_like(x)
    for k, rate in enumerate([0.0, 0.1, 0.2, 0.3]):
        tax = tax.at[...].add(rate * (jnp.minimum(jnp.maximum(x, low[k]), top[k]) - low[k]))
    return tax

# %% extra
1 / 0
