"""A program is the same program wherever its student asks for its values to lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.sharding import NamedSharding, PartitionSpec, SingleDeviceSharding

F32 = jax.ShapeDtypeStruct((), "float32")


def double(x: Any) -> Any:
    """Doubles what is at least 1."""
    return jnp.maximum(x, 1) * 2


def in_a_mesh(x: Any) -> Any:
    """Doubles on a mesh of one device."""
    place = NamedSharding(jax.make_mesh((1,), ("x",)), PartitionSpec())
    return jax.device_put(double(jax.device_put(x, place)), place)


def inside_a_loop(x: Any) -> Any:
    """Doubles in a loop whose body places its result."""
    return jax.lax.fori_loop(0, 1, lambda _, y: jax.device_put(double(y), jax.devices()[0]), x)


@pytest.mark.parametrize(
    "make",
    [
        lambda: jax.jit(double, out_shardings=SingleDeviceSharding(jax.devices()[0])),
        lambda: jax.jit(lambda x: jax.device_put(double(x), jax.devices()[0])),
        lambda: jax.jit(in_a_mesh),
        lambda: jax.jit(inside_a_loop),
    ],
    ids=["out_shardings", "device_put", "mesh", "in a loop"],
)
def test_placement_is_taken_out(opened: Callable[[bytes], Any], make: Callable[[], Any]) -> None:
    """Annotations of placement are neither refused nor counted among a program's operations."""
    program = opened(export.export(make(), platforms=["cpu"])(F32).serialize())
    assert not program.structure.custom_calls
    assert all(name.startswith(("stablehlo.", "func.")) for name in program.structure.operations)
    assert program.run([np.float32(3)]) == [[6]]


@pytest.mark.parametrize("option", [{"backend": "cpu"}, {"device": "first"}])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_placement_by_an_old_option_is_taken_out(opened: Callable[[bytes], Any], option: dict[str, Any]) -> None:
    """A function that is jitted for a device, in the way of older tutorials, is an ordinary program."""
    given = {"device": jax.devices()[0]} if "device" in option else option
    program = opened(export.export(jax.jit(lambda x: jax.jit(double, **given)(x)), platforms=["cpu"])(F32).serialize())
    assert program.run([np.float32(3)]) == [[6]]


def test_placement_of_a_context_is_taken_out(opened: Callable[[bytes], Any]) -> None:
    """A mesh that the notebook sets for everything leaves an ordinary program."""
    with jax.set_mesh(jax.make_mesh((1,), ("x",))):
        artifact = export.export(jax.jit(double), platforms=["cpu"])(F32).serialize()
    assert opened(artifact).run([np.float32(3)]) == [[6]]
