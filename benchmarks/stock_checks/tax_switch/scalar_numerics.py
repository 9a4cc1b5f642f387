def expected_tax(income):
    edges, rates = [0.0, 10_000.0, 40_000.0, 100_000.0, np.inf], [0.0, 0.1, 0.2, 0.3]
    amount = np.asarray(income, np.float64)
    return sum(rate * (np.clip(amount, low, high) - low) for rate, low, high in zip(rates, edges, edges[1:]))


jitted = jax.jit(tax_switch)
for income in (180.0, 6_125.5, 10_750.0, 23_456.75, 38_900.0, 41_333.0, 66_666.5, 98_500.0, 104_040.0, 313_131.0):
    assert np.isclose(float(jitted(jnp.float32(income))), expected_tax(income), rtol=1e-5, atol=0.1), income
for edge in (10_000.0, 40_000.0, 100_000.0):
    for income in (edge - 1, edge, edge + 1):
        assert np.isclose(float(jitted(jnp.float32(income))), expected_tax(income), rtol=1e-5, atol=0.1), income
for income in (0, 7, 10_009, 33_333, 57_913, 99_999, 123_457):
    result = jitted(jnp.int32(income))
    assert jnp.issubdtype(result.dtype, jnp.floating)
    assert np.isclose(float(result), expected_tax(income), rtol=1e-5, atol=0.1), income
