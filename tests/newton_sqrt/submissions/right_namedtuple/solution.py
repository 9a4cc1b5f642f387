import jax
from typing import NamedTuple


class Root(NamedTuple):
    root: jax.Array
    iterations: jax.Array


class State(NamedTuple):
    before: jax.Array
    now: jax.Array
    taken: jax.Array

    def advance(self, a):
        return State(self.now, (self.now + a / self.now) / 2, self.taken + 1)


# %% newton_sqrt
@jax.jit
def newton_sqrt(a, tol=1e-6):
    start = lax.cond(a >= 1.0, lambda: a, lambda: jnp.ones_like(a))
    first = State(jnp.zeros_like(start), start, jnp.int32(0)).advance(a)
    last = lax.while_loop(
        lambda s: (jnp.abs(s.now - s.before) >= tol) & (s.taken < 100), lambda s: s.advance(a), first
    )
    return Root(root=last.now, iterations=last.taken)
