import sys
import jax
import warnings

jax.config.update("jax_log_compiles", True)
warnings.warn("this notebook warns")
print("and writes to stderr", file=sys.stderr)

# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    warnings.warn("tracing newton_sqrt", stacklevel=1)
    print("tracing", a, tol, file=sys.stderr)
    a = jnp.asarray(a, dtype=jnp.float64)

    def step(s):
        x, _, i = s
        y = (x + a / x) / 2
        return y, abs(y - x), i + 1

    x, _, i = lax.while_loop(
        lambda s: (s[1] >= tol) & (s[2] < 100), step, (jnp.maximum(a, 1), jnp.array(jnp.inf, dtype=jnp.float64), 0)
    )
    return x, i

# %% extra
print(newton_sqrt(2.0), file=sys.stderr)
