"""The structure of a program is what its operations say, whatever its functions are called."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import pytest
from jax import lax

from autograder.wire import Aval

F32 = jax.ShapeDtypeStruct((), "float32")
I32 = jax.ShapeDtypeStruct((), "int32")
VECTOR = jax.ShapeDtypeStruct((5,), "float32")
KEY = jax.ShapeDtypeStruct((2,), "uint32")

RATES = [lambda x: x * 0, lambda x: x * 1, lambda x: x * 2, lambda x: x * 3]


def bracket(x):
    """Returns an index from 0 to 3 that depends on the value."""
    return jnp.floor(x).astype(jnp.int32) % 4


def newton(a, tol):
    """Is Newton's method for the square root, with a cap."""
    start = (jnp.maximum(a, 1.0), jnp.float32(jnp.inf), 0)

    def step(state):
        x, _, count = state
        fresh = (x + a / x) / 2
        return fresh, jnp.abs(fresh - x), count + 1

    root, _, count = lax.while_loop(lambda state: (state[1] >= tol) & (state[2] < 100), step, start)
    return root, count


def test_inputs_and_outputs_are_flat(replay):
    """A structure lists the avals of all inputs, also unused ones, and of all outputs, in order."""
    program = replay(lambda x, unused, n: {"b": n, "a": (x, x > 0)}, VECTOR, F32, I32)
    assert program.structure.in_avals == (Aval("float32", (5,)), Aval("float32", ()), Aval("int32", ()))
    assert program.structure.out_avals == (Aval("float32", (5,)), Aval("bool", (5,)), Aval("int32", ()))


def test_switch(replay):
    """A switch is one conditional with its branches, and depends on what its index depends on."""
    program = replay(lambda n, x: lax.switch(bracket(x), RATES, x + n), F32, F32)
    (conditional,) = program.structure.conditionals
    assert (conditional.branches, conditional.depends_on, conditional.inside) == (4, (1,), ())
    assert program.structure.loops == ()


def test_dependence_names_inputs_not_arguments(replay):
    """An input that the compiled function drops still counts in the places of the others."""
    program = replay(lambda unused, other, x: lax.switch(bracket(x), RATES, other), F32, F32, F32)
    assert program.structure.conditionals[0].depends_on == (2,)


def test_constant_index(replay):
    """A conditional on a constant depends on no input."""
    program = replay(lambda x: lax.switch(jnp.int32(2), RATES, x), F32)
    assert program.structure.conditionals[0].depends_on == ()


def test_unused_switch_is_gone(replay):
    """What JAX drops since nothing uses it is no part of the structure."""
    program = replay(lambda x: (lax.switch(bracket(x), RATES, x), x)[1], F32)
    assert program.structure.conditionals == ()


def test_nested_conditionals(replay):
    """Ids count in the order of the text, and each block names those around it, outermost first."""

    def nested(x):
        inner = functools.partial(lax.cond, x > 2, lambda: x, lambda: -x)
        loop = functools.partial(lax.fori_loop, 0, 3, lambda i, s: s + lax.cond(s > 0, lambda: 1.0, lambda: 2.0), x)
        return lax.cond(x > 1, loop, inner)

    structure = replay(nested, F32).structure
    outer, first, second = structure.conditionals
    (loop,) = structure.loops
    assert [outer.id, first.id, second.id, loop.id] == [0, 1, 3, 2]
    assert (first.inside, second.inside, loop.inside) == ((0,), (0, 2), (0,))


def test_dependence_through_captured_values(replay):
    """A region that reads a value of the code around it depends on it."""

    def program(x, n):
        limit = n * 2
        return lax.cond(x > 0, lambda: lax.while_loop(lambda i: i < limit, lambda i: i + 1, 0), lambda: 0)

    structure = replay(program, F32, I32).structure
    assert structure.conditionals[0].depends_on == (0,)
    assert structure.loops[0].depends_on == (1,)


def test_dependence_on_which_branch_ran(replay):
    """The result of a conditional depends on its index, even where the branches return constants."""
    structure = replay(
        lambda x: lax.switch(lax.cond(x > 0, lambda: 1, lambda: 2), RATES, jnp.float32(3)), F32
    ).structure
    assert [c.depends_on for c in structure.conditionals] == [(0,), (0,)]


def test_dependence_on_how_often_a_loop_ran(replay):
    """What a loop counted depends on its condition; what it hands round unchanged does not."""

    def program(x, n, y):
        count, kept = lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1]), (0, y))
        return lax.switch(count, RATES, x), lax.switch(bracket(kept), RATES, x)

    structure = replay(program, F32, I32, F32).structure
    assert [c.depends_on for c in structure.conditionals] == [(1,), (2,)]


def test_dependence_that_takes_iterations(replay):
    """A value that reaches the condition only after several iterations counts."""

    def program(x, y):
        def step(state):
            i, _a, b, c = state
            return i + 1, b, c, y

        return lax.while_loop(lambda s: (s[0] < 9) & (s[1] < 5), step, (0, x, x, x))[0]

    assert replay(program, F32, F32).structure.loops[0].depends_on == (0, 1)


def test_newton_loop(replay):
    """The loop of Newton's method depends on the number and on the tolerance, and has no fixed count."""
    (loop,) = replay(newton, F32, F32).structure.loops
    assert (loop.trip_count, loop.depends_on) == (None, (0, 1))


def test_traced_bound(replay):
    """A `fori_loop` with a traced bound depends on that bound alone."""
    (loop,) = replay(lambda x, n: lax.fori_loop(0, n, lambda i, s: s * x, x), F32, I32).structure.loops
    assert (loop.trip_count, loop.depends_on) == (None, (1,))


def counting(start, goes_on, step):
    """Returns a function that multiplies its argument by itself as often as a counter allows."""
    return lambda x: lax.while_loop(lambda s: goes_on(s[0]), lambda s: (step(s[0]), s[1] * x), (start, x))[1]


@pytest.mark.parametrize(
    ("count", "program"),
    [
        pytest.param(10, lambda x: lax.fori_loop(0, 10, lambda i, s: s * x, x), id="fori"),
        pytest.param(9, lambda x: lax.fori_loop(2, jnp.int32(11), lambda i, s: s * x, x), id="offset"),
        pytest.param(7, lambda x: lax.scan(lambda c, _: (c * x, c), x, length=7), id="scan"),
        pytest.param(0, counting(5, lambda i: i < 0, lambda i: i + 1), id="none"),
        pytest.param(4, counting(10, lambda i: i > 0, lambda i: i - 3), id="down"),
        pytest.param(5, counting(9, lambda i: jnp.less_equal(0, i), lambda i: i - 2), id="turned"),
        pytest.param(3, counting(0, lambda i: i != 9, lambda i: 3 + i), id="unequal"),
    ],
)
def test_fixed_count(replay, count, program):
    """A loop that counts by a constant up to a constant has an exact trip count, which is how often it runs."""
    replayed = replay(program, F32)
    (loop,) = replayed.structure.loops
    assert (loop.trip_count, loop.depends_on) == (count, ())
    assert replayed.trips(loop.id, [1.5]) == [count]


@pytest.mark.parametrize(
    ("count", "program"),
    [
        pytest.param(4, counting(0.0, lambda i: i < 1, lambda i: i + 0.25), id="float"),
        pytest.param(6, counting(1, lambda i: i < 64, lambda i: i * 2), id="double"),
    ],
)
def test_fixed_count_of_another_form(replay, count, program):
    """A fixed loop of another form than a plain counter has no trip count, but depends on nothing all the same."""
    replayed = replay(program, F32)
    (loop,) = replayed.structure.loops
    assert (loop.trip_count, loop.depends_on) == (None, ())
    assert replayed.trips(loop.id, [1.5]) == [count]


def test_counter_that_wraps_round_has_no_trip_count(replay):
    """A counter that leaves the range of its type is no plain counter."""

    def program(x):
        return lax.while_loop(lambda s: s[0] > 0, lambda s: (s[0] + jnp.int8(1), s[1] * x), (jnp.int8(100), x))[1]

    replayed = replay(program, F32)
    assert replayed.structure.loops[0].trip_count is None
    assert replayed.trips(0, [1.0]) == [28]


def test_names_prove_nothing(replay):
    """A function called `while_cond` that neither loops nor branches has no loop and no conditional."""

    @jax.jit
    def while_cond(x):
        return jnp.where(x > 0, x, -x)

    structure = replay(lambda x: while_cond(x) + 1, F32).structure
    assert (structure.conditionals, structure.loops) == ((), ())
    assert structure.operations["stablehlo.select"] == 1


def test_select_is_no_conditional(replay):
    """`jnp.select`, `jnp.where` and a conditional under `vmap` lower to selects."""
    select = replay(lambda x: jnp.select([x < 1, x < 2], [x, x * 2], x * 3), VECTOR)
    mapped = replay(jax.vmap(lambda x: lax.cond(x > 0, lambda: x, lambda: -x)), VECTOR)
    vectorized = replay(jnp.vectorize(lambda x: lax.switch(bracket(x), RATES, x)), VECTOR)
    for program in (select, mapped, vectorized):
        assert program.structure.conditionals == ()
        assert program.structure.operations["stablehlo.select"] > 0


def test_called_functions_count_where_they_are_called(replay):
    """A jitted function that is called twice stands there twice, and each copy has an id of its own."""
    inner = jax.jit(lambda x: lax.cond(x > 0, lambda: x * 2, lambda: x - 1))
    structure = replay(lambda x, y: inner(x) + inner(y), F32, F32).structure
    assert [(c.id, c.depends_on) for c in structure.conditionals] == [(0, (0,)), (1, (1,))]
    assert "func.call" not in structure.operations
    assert structure.operations["stablehlo.case"] == 2


def test_composites_are_looked_into(replay):
    """What a composite stands for is part of the structure, whatever its name."""
    hidden = lax.composite(lambda y: lax.while_loop(lambda s: s < y, lambda s: s + 1, 0.0), name="my.composite")
    structure = replay(hidden, F32).structure
    assert structure.loops[0].depends_on == (0,)
    assert "stablehlo.composite" not in structure.operations


def test_size_is_the_sum_of_operations(replay):
    """Every operation counts once, so that an unrolled loop makes the program grow."""

    def unrolled(steps):
        return replay(lambda x: functools.reduce(lambda s, _: (s + x / s) / 2, range(steps), x), F32).structure

    short, long = unrolled(5), unrolled(20)
    assert long.operations["stablehlo.divide"] == 2 * 20
    assert long.size - short.size == 3 * 15
    assert long.size == sum(long.operations.values())


@pytest.mark.parametrize(
    ("operation", "function"),
    [
        ("stablehlo.sqrt", jnp.sqrt),
        ("stablehlo.cbrt", jnp.cbrt),
        ("stablehlo.power", lambda x: x**0.37),
        ("stablehlo.rsqrt", lax.rsqrt),
        ("stablehlo.exponential", lambda x: jnp.exp(0.5 * jnp.log(x))),
    ],
)
def test_disguised_roots_show_as_operations(replay, operation, function):
    """A library's root appears by the full name of its operation."""
    assert replay(function, F32).structure.operations[operation] == 1


def test_custom_calls_are_listed(replay):
    """A Cholesky decomposition is a custom call, by the name of its routine."""
    structure = replay(lambda x: jnp.linalg.cholesky(jnp.eye(2) * x)[0, 0], F32).structure
    assert structure.custom_calls == ("lapack_spotrf_ffi",)
    assert replay(jnp.sqrt, F32).structure.custom_calls == ()


def test_searchsorted_has_a_fixed_loop(replay):
    """A library's own loop depends on no input, which tells it from a loop on the data."""
    (loop,) = replay(lambda x: jnp.searchsorted(jnp.arange(10.0), x), F32).structure.loops
    assert loop.depends_on == ()
    assert loop.trip_count is not None


def test_random_numbers(replay):
    """Drawing random numbers loops a fixed number of times."""
    program = replay(lambda key: jax.random.normal(jax.random.wrap_key_data(key), (4,)), KEY)
    assert all(loop.depends_on == () for loop in program.structure.loops)


def test_conditional_in_a_reducer(replay):
    """A conditional in the function of a reduction is found, and depends on what is reduced."""
    structure = replay(
        lambda x, y: lax.reduce(x, y, lambda a, b: lax.cond(a > b, lambda: a, lambda: b), (0,)), VECTOR, F32
    ).structure
    assert structure.conditionals[0].depends_on == (0, 1)


def test_barrier_keeps_values_apart(replay):
    """An optimization barrier hands each value on by itself."""

    def program(x, y):
        x, y = lax.optimization_barrier((x, y))
        return lax.switch(bracket(x), RATES, y)

    assert replay(program, F32, F32).structure.conditionals[0].depends_on == (0,)
