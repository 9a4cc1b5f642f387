# %% newton_sqrt
def _newton(a, tol=1e-6, *, most=50):
    start = jnp.where(a < 1, jnp.ones_like(a), a)

    def unfinished(s):
        far = jnp.logical_not(jnp.abs(s["x"] - s["old"]) < tol)
        return jnp.logical_or(s["n"] == 0, jnp.logical_and(far, s["n"] < most))

    def newton(s):
        return {"old": s["x"], "x": (s["x"] + a / s["x"]) / 2, "n": s["n"] + 1}

    s = lax.while_loop(unfinished, newton, {"x": start, "old": start, "n": jnp.int32(0)})
    return s["x"], s["n"]


newton_sqrt = jax.jit(_newton, static_argnames=("most",))
