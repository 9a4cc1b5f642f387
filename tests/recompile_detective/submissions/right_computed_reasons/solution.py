# %% answer_predictions
signatures = []
for x, static, form in [
    (jnp.ones(3), "a", "omitted"),
    (jnp.ones(3) * 5, "a", "omitted"),
    (jnp.ones(4), "a", "omitted"),
    (jnp.ones(3), "b", "keyword"),
    (jnp.ones(3, jnp.int32), "a", "omitted"),
    (1.0, "a", "omitted"),
    (jnp.float32(1.0), "a", "omitted"),
    (jnp.ones(3), "a", "keyword"),
]:
    seen = jax.typeof(x)
    signatures.append((seen.shape, seen.dtype, seen.weak_type, static, form))
predictions = [signature not in signatures[:k] for k, signature in enumerate(signatures)]

# %% answer_reasons
names = ["shape", "dtype", "weak type", "static value", "argument form"]
reasons = ["first call"]
for k in range(1, 8):
    differing = [[n for n, a, b in zip(names, signatures[k], old) if a != b] for old in signatures[:k]]
    reasons.append((min(differing, key=len) or ["same signature"])[-1])
