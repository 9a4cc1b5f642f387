compiled = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **more: compiled.append(event) if "backend_compile" in event else None
)
for function, batches in (
    (jax.jit(tax_switch), [jnp.float32(income) for income in (500, 15_500, 45_500, 150_500, 35)]),
    (jax.jit(tax_vectorized), [jnp.array(row, jnp.float32) for row in ([50, 15_050, 150_050], [45_050, 250_050, 5_050])]),
):
    function(batches[0])
    compiled.clear()
    for batch in batches[1:]:
        function(batch)
    assert not compiled
