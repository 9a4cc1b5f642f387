compiled = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **more: compiled.append(event) if "backend_compile" in event else None
)
inputs = [(jnp.float32(a), jnp.float32(tol)) for tol in (5e-3, 1e-4, 2e-6) for a in (6.5, 80.0, 0.15, 20_000.0)]
jax.clear_caches()
newton_sqrt(*inputs[0])
compiled.clear()
for given in inputs[1:]:
    newton_sqrt(*given)
assert not compiled
