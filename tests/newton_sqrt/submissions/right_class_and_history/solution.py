# %% newton_sqrt
import dataclasses


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Trail:
    seen: jax.Array
    index: jax.Array

    @property
    def last(self):
        return self.seen[self.index]

    @property
    def change(self):
        return jnp.abs(self.seen[self.index] - self.seen[self.index - 1])


class Newton:
    def __init__(self, cap):
        self.cap = cap

    def start(self, a):
        seen = jnp.zeros(self.cap + 1, jnp.float32).at[0].set(jnp.maximum(a, 1))
        return Trail(seen, jnp.int32(0))

    def step(self, trail, a):
        x = trail.last
        return Trail(lax.dynamic_update_index_in_dim(trail.seen, (x + a / x) / 2, trail.index + 1, 0), trail.index + 1)

    def __call__(self, a, tol):
        trail = lax.while_loop(
            lambda t: (t.change >= tol) & (t.index < self.cap),
            lambda t: self.step(t, a),
            self.step(self.start(a), a),
        )
        return trail.last, trail.index


newton_sqrt = jax.jit(Newton(cap=60).__call__)
