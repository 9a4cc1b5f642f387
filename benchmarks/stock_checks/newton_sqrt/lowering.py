traced = str(jax.make_jaxpr(newton_sqrt)(jnp.float32(2.0), jnp.float32(1e-6)))
assert "while" in traced
assert "sqrt[" not in traced and "sqrt " not in traced.replace("newton_sqrt", "")
