assert "cond[" in str(jax.make_jaxpr(tax_switch)(jnp.float32(25_000.0)))
