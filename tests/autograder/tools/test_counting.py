"""Compiles are counted, by name if asked, with their causes."""

import logging
import subprocess
import sys

import jax
import jax.numpy as jnp
import pytest

from autograder.tools import count_compiles
from autograder.tools.causes import explain


def make_function():
    """Returns a function that JAX has not seen."""

    @jax.jit
    def scale(x, factor=2.0):
        return x * factor

    return scale


def test_hit_of_the_cache_is_no_compile():
    """A call with another value of the same type compiles nothing."""
    scale, one, two = make_function(), jnp.ones(3), jnp.zeros(3)
    scale(one)
    with count_compiles() as compiles:
        scale(two)
    assert compiles() == 0
    assert compiles.causes() == ""


def test_explaining_keeps_what_was_compiled_before():
    """The explanations that are turned on inside the block cause no compile themselves, in it or after it."""
    scale, one = make_function(), jnp.ones(3)
    with count_compiles() as outer:
        scale(one)
        with count_compiles() as inner:
            scale(one)
        scale(one)
    assert (outer(), inner()) == (1, 0)


def test_number_can_be_read_inside_and_after_the_block():
    """The number counts up inside the block and stays after it."""
    scale, one, wide = make_function(), jnp.ones(3), jnp.ones((2, 3))
    with count_compiles() as compiles:
        assert compiles() == 0
        scale(one)
        assert compiles() == 1
    scale(wide)
    assert compiles() == 1


@pytest.mark.parametrize("of", [make_function(), "scale"], ids=["function", "name"])
def test_a_name_selects(of):
    """With a function or its name, compiles of other functions do not count."""
    scale, one = make_function(), jnp.ones(3)
    other = jax.jit(lambda x: x - 1)
    with count_compiles(of) as compiles:
        other(one)
        scale(one)
    assert [event.function for event in compiles.events] == ["scale"]


@pytest.mark.parametrize(
    ("first", "second", "cause"),
    [
        ((jnp.ones(3),), (jnp.ones((3, 2)),), "argument x changed: shape (3) -> (3,2)"),
        ((jnp.ones(3),), (jnp.ones(3, "int32"),), "argument x changed: dtype f32 -> i32"),
        ((jnp.float32(1),), (1.0,), "argument x changed: weak type no -> yes"),
        ((jnp.ones(3),), (jnp.ones(3), 2.0), "positional arguments changed: another number"),
        (((1.0,),), ([1.0],), "argument 1 changed its structure: tuple -> list"),
        (({"a": 1.0},), ({"a": 1.0, "b": 2.0},), "argument 1 changed its structure: key 'b'"),
    ],
)
def test_cause_names_the_argument_and_the_attribute(first, second, cause):
    """A compile that a changed argument caused says which argument, which attribute, and from what to what."""

    @jax.jit
    def first_leaf(x, factor=2.0):
        return jax.tree.leaves(x)[0] * factor

    first_leaf(*first)
    with count_compiles() as compiles:
        first_leaf(*second)
    assert compiles.causes() == f"first_leaf: {cause}"


def test_cause_names_a_keyword():
    """An argument that is given by keyword for the first time is named."""
    scale, one = make_function(), jnp.ones(3)
    scale(one)
    with count_compiles() as compiles:
        scale(one, factor=3.0)
    assert compiles.causes() == "scale: keyword arguments changed: 'factor' is given in one call alone"


def test_cause_of_a_static_value():
    """Another value of a static argument is told as something static that differs."""
    power = jax.jit(lambda x, n: x**n, static_argnums=1)
    one = jnp.ones(3)
    power(one, 2)
    with count_compiles() as compiles:
        power(one, 3)
    assert "static" in compiles.causes()


def test_explanations_do_not_reach_the_reader(capfd):
    """JAX's own explanations appear neither on standard output nor on standard error."""
    scale, one = make_function(), jnp.ones(3)
    with count_compiles():
        scale(one)
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def test_logger_is_left_as_it_was():
    """After the block JAX's logger has its handlers and its propagation back."""
    logger = logging.getLogger("jax")
    before = (list(logger.handlers), logger.propagate)
    with count_compiles():
        pass
    assert (list(logger.handlers), logger.propagate) == before


PERSISTENT = """
import sys
import jax, jax.numpy as jnp
from autograder import count_compiles

jax.config.update("jax_compilation_cache_dir", sys.argv[1])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
hits = []
jax.monitoring.register_event_listener(lambda event, **facts: hits.append(event) if "cache_hits" in event else None)
one = jnp.ones(3)
jax.jit(lambda x: x * 2)(one)
with count_compiles() as compiles:
    jax.jit(lambda x: x * 2)(one)
print(compiles(), len(hits))
"""


def test_persistent_cache_hides_nothing(tmp_path):
    """A program that comes from the cache on disk counts, so a notebook cannot hide its compiles there."""
    command = [sys.executable, "-c", PERSISTENT, str(tmp_path)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["1", "1"]


def test_missing_explanations_cost_the_causes_alone(monkeypatch):
    """Where JAX gives no explanations there are no causes, and the number is right all the same."""
    scale, one = make_function(), jnp.ones(3)
    monkeypatch.setattr(jax, "explain_cache_misses", None)
    with count_compiles() as compiles:
        scale(one)
    assert (compiles(), compiles.causes()) == (1, "scale: compiled")


def test_unreadable_explanation_costs_nothing():
    """A text that JAX may write one day still gives a phrase."""
    assert "static" in explain("TRACING CACHE MISS of a kind that nobody knows")
