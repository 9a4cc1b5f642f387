jitted = jax.jit(tax_vectorized)
whole = np.array([0, 4_321.5, 10_000, 10_020, 27_182.75, 39_999, 40_000, 62_832, 99_999, 100_001, 141_421, 3e6], np.float32)
for shape in ((12,), (3, 4), ()):
    for incomes in [whole.reshape(shape)] if shape else list(whole):
        taxes = jitted(jnp.asarray(incomes))
        assert taxes.shape == shape
        assert np.allclose(taxes, expected_tax(incomes), rtol=1e-5, atol=0.1)
assert jitted(jnp.zeros(0, jnp.float32)).shape == (0,)
assert np.allclose(jitted(jnp.arange(0, 200_000, 25_000)), expected_tax(np.arange(0, 200_000, 25_000)), rtol=1e-5, atol=0.1)
short, long = (len(jax.make_jaxpr(tax_vectorized)(jnp.zeros(size, jnp.float32)).eqns) for size in (6, 30))
assert long < short + 24
