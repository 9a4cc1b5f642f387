def expected_steps(a, tol):
    x, steps = max(a, 1.0), 0
    while steps < 100:
        new = (x + a / x) / 2
        steps += 1
        if abs(new - x) < tol:
            return steps
        x = new
    return steps


for tol in (1e-1, 1e-2, 1e-3, 1e-4):
    for number in (3.0, 0.3, 0.02, 40.0, 700.0, 6_000.0):
        root, count = newton_sqrt(jnp.float32(number), jnp.float32(tol))
        assert abs(int(count) - expected_steps(number, tol)) <= 1, (number, tol)
