"""Disturbing shows what decides the outputs, where data flow alone is fooled."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from autograder.program.disturb import MOST_TRIPS

F32 = jax.ShapeDtypeStruct((), "float32")
I32 = jax.ShapeDtypeStruct((), "int32")
VECTOR = jax.ShapeDtypeStruct((3,), "float32")
EMPTY = jax.ShapeDtypeStruct((0,), "float32")

RATES = [lambda x: x * 0, lambda x: x * 1 + 1, lambda x: x * 2 + 2, lambda x: x * 3 + 3]
ONE_IN_EACH = [[np.float32(value)] for value in (0.5, 1.5, 2.5, 3.5)]


def bracket(x):
    """Returns an index from 0 to 3 that depends on the value."""
    return jnp.clip(jnp.floor(x), 0, 3).astype(jnp.int32)


def switched(x):
    """Is a function whose switch decides."""
    return lax.switch(bracket(x), RATES, x)


def newton(a, tol):
    """Is Newton's method for the square root, with a cap."""

    def step(state):
        x, _, count = state
        fresh = (x + a / x) / 2
        return fresh, jnp.abs(fresh - x), count + 1

    start = (jnp.maximum(a, 1.0), jnp.float32(jnp.inf), 0)
    root, _, count = lax.while_loop(lambda s: (s[1] >= tol) & (s[2] < 100), step, start)
    return root, count


def test_each_branch_decides_its_own_inputs(replay):
    """Disturbing a branch changes the outputs where that branch runs, and nowhere else."""
    program = replay(switched, F32)
    found = [program.decides(*ONE_IN_EACH, kind="branch", id=0, branch=branch) for branch in range(4)]
    assert found == np.eye(4, dtype=bool).tolist()


def test_whole_conditional(replay):
    """Disturbing a conditional changes the outputs wherever one of its branches decides."""
    assert replay(switched, F32).decides(*ONE_IN_EACH, kind="conditional", id=0) == [True] * 4


@pytest.mark.parametrize(
    "decoy",
    [
        pytest.param(lambda x: x + 0 * switched(x), id="times zero"),
        pytest.param(lambda x: x + jnp.where(x > 1e9, switched(x), 0), id="selected away"),
        pytest.param(lambda x: x + (switched(x) - switched(x)), id="minus itself"),
        pytest.param(lambda x: x + lax.switch((x * 0).astype(int), [lambda: 0.0, lambda: 1.0]) * 0, id="index zero"),
    ],
)
def test_decoys_decide_nothing(replay, decoy):
    """A conditional whose result does not matter shows in the data flow, but changes no output when disturbed."""
    program = replay(decoy, F32)
    for conditional in program.structure.conditionals:
        assert conditional.depends_on == (0,)
        if len(program.structure.conditionals) == 1:
            assert program.decides(*ONE_IN_EACH, kind="conditional", id=conditional.id) == [False] * 4


def test_constant_index_leaves_the_other_branches_without_effect(replay):
    """An index of `0 * x` always takes the same branch, so that only this one decides."""
    program = replay(lambda x: lax.switch((x * 0).astype(int) + 1, RATES, x), F32)
    found = [any(program.decides(*ONE_IN_EACH, kind="branch", id=0, branch=branch)) for branch in range(4)]
    assert found == [False, True, False, False]


def test_copies_of_a_called_function_are_disturbed_one_by_one(replay):
    """A jitted function called twice has two conditionals, each with its own effect."""
    inner = jax.jit(lambda x: lax.cond(x > 0, lambda: x * 2, lambda: x - 1))
    program = replay(lambda x, y: (inner(x), inner(y)), F32, F32)
    before = program.run([1.0, 2.0])[0]
    for copy in (0, 1):
        after = program.disturb([1.0, 2.0], kind="branch", id=copy, branch=1)[0][0]
        assert [old != new for old, new in zip(before, after, strict=True)] == [copy == 0, copy == 1]


def test_choosing_a_branch(replay):
    """A chosen branch runs for all inputs, whatever the index says."""
    program = replay(switched, F32)
    (outputs,) = program.disturb(*ONE_IN_EACH, kind="choice", id=0, branch=2)
    assert [float(flat[0]) for flat in outputs] == [3.0, 5.0, 7.0, 9.0]


def test_choosing_unmasks_a_switch_between_equals(replay):
    """Adding a switch that is always zero changes the outputs when disturbed, but not when another branch is chosen."""
    zeros = [lambda x: x * 0] * 4
    program = replay(lambda x: 2 * x + lax.switch(bracket(x), zeros, x), F32)
    assert all(program.decides(*ONE_IN_EACH, kind="conditional", id=0))
    for branch in range(4):
        assert not any(program.decides(*ONE_IN_EACH, kind="choice", id=0, branch=branch))


def test_loop_decides(replay):
    """Disturbing Newton's loop changes the root and the count."""
    program = replay(newton, F32, F32)
    before = program.run([2.0, 1e-6])[0]
    for run in program.disturb([2.0, 1e-6], kind="loop", id=0):
        assert [bool(old != new) for old, new in zip(before, run[0], strict=True)] == [True, True]


def test_fake_loop_decides_nothing(replay):
    """A loop beside a library's root changes nothing when it is disturbed."""
    program = replay(lambda a, tol: jnp.sqrt(a) + 0 * newton(a, tol)[0], F32, F32)
    assert program.structure.loops[0].depends_on == (0, 1)
    assert program.decides([2.0, 1e-6], kind="loop", id=0) == [False]


def test_limited_loop(replay):
    """A limited loop ends early, or where it would have ended by itself."""
    program = replay(newton, F32, F32)
    counts = [int(program.disturb([9.0, 1e-6], kind="limit", id=0, trips=trips)[0][0][1]) for trips in (0, 1, 3, 6, 50)]
    assert counts == [0, 1, 3, 6, 6]


def test_sentinels_are_finite_and_differ(replay):
    """What stands in for a result is finite, of its dtype, and comes in two values that differ."""

    def program(x):
        kinds = ("bool", "int8", "int16", "int32", "uint8", "uint32", "float16", "bfloat16", "float32", "complex64")
        results = [jnp.asarray(x, kind) for kind in kinds]
        return lax.cond(
            x > 0, lambda: [value * value for value in results], lambda: [jnp.sin(x).astype(kind) for kind in kinds]
        )

    replayed = replay(program, F32)
    before = replayed.run([1.5])[0]
    first, second = (run[0] for run in replayed.disturb([1.5], kind="conditional", id=0))
    assert len(before) == 10
    for old, one, other in zip(before, first, second, strict=True):
        assert old.dtype == one.dtype == other.dtype
        assert old.shape == one.shape == other.shape
        assert np.all(np.isfinite(one.astype("complex128")))
        assert np.all(np.isfinite(other.astype("complex128")))
        assert one != other


def test_shapes_are_kept(replay):
    """Arrays of any shape are replaced as a whole, empty ones included."""
    program = replay(lambda x, y: lax.cond(x.sum() > 0, lambda: (x * 2, y * 2), lambda: (-x, -y)), VECTOR, EMPTY)
    ones, nothing = np.ones(3, "float32"), np.ones(0, "float32")
    for run in program.disturb([ones, nothing], kind="branch", id=0, branch=1):
        assert [output.shape for output in run[0]] == [(3,), (0,)]
        assert np.all(run[0][0] != 2 * ones)


def test_order_of_the_branches_of_cond(replay):
    """Of the two branches of `lax.cond`, number 1 runs when the predicate holds."""
    program = replay(lambda x: lax.cond(x > 0, lambda: x * 2, lambda: x - 1), F32)
    assert program.decides([1.0], [-1.0], kind="branch", id=0, branch=1) == [True, False]
    assert program.decides([1.0], [-1.0], kind="branch", id=0, branch=0) == [False, True]


def test_disturbed_loop_that_would_not_end(replay):
    """A loop that waits for a disturbed value ends after a bounded number of iterations."""

    def program(x):
        def step(state):
            gap, count = state
            return lax.cond(gap > 1, lambda: gap / 2, lambda: gap * 0), count + 1

        return lax.while_loop(lambda s: s[0] > 0.5, step, (x, 0))

    replayed = replay(program, F32)
    assert replayed.structure.conditionals[0].inside == (0,)
    assert int(replayed.run([8.0])[0][1]) == 4
    counts = [int(run[0][1]) for run in replayed.disturb([8.0], kind="conditional", id=1)]
    assert counts == [MOST_TRIPS, 1]


def test_long_loop_that_does_not_wait_is_not_cut(replay):
    """A loop whose condition does not depend on what is disturbed runs as often as it should."""
    steps = 3 * MOST_TRIPS
    program = replay(
        lambda x, n: (lax.fori_loop(0, n, lambda i, s: s + 1, 0), lax.cond(x > 0, lambda: x, lambda: -x)), F32, I32
    )
    (conditional,) = program.structure.conditionals
    for run in program.disturb([1.0, steps], kind="conditional", id=conditional.id):
        assert int(run[0][0]) == steps


def test_trips_are_the_real_iterations(replay):
    """The count of a loop is how often its body ran for the inputs at hand."""
    program = replay(newton, F32, F32)
    inputs = [[2.0, 1e-6], [9.0, 1e-6], [0.25, 1e-6], [12345.0, 1e-6], [2.0, 0.0]]
    assert program.trips(0, *inputs) == [int(flat[1]) for flat in program.run(*inputs)] == [5, 6, 5, 12, 100]


def test_trips_unmask_a_condition_that_never_varies(replay):
    """A condition that depends on an input by data flow alone gives the same count for all inputs."""
    program = replay(
        lambda x: lax.while_loop(lambda s: s[0] < 7 + 0 * s[1], lambda s: (s[0] + 1, s[1]), (0.0, x))[1], F32
    )
    assert program.structure.loops[0].depends_on == (0,)
    assert program.trips(0, [1.0], [2.0], [3.0]) == [7, 7, 7]


def test_trips_of_a_nested_loop_add_up(replay):
    """A loop inside loops and conditionals counts all iterations of the whole run."""

    def program(n, m):
        def outer(i, s):
            return s + lax.cond(i % 2 == 0, lambda: lax.fori_loop(0, m, lambda j, t: t + j, 0), lambda: 7)

        return lax.fori_loop(0, n, outer, 0)

    replayed = replay(program, I32, I32)
    assert [loop.inside for loop in replayed.structure.loops] == [(), (0, 1)]
    assert replayed.trips(0, [5, 3], [0, 3]) == [5, 0]
    assert replayed.trips(2, [5, 3], [0, 3]) == [9, 0]


def test_trips_in_a_condition_cannot_be_counted(replay):
    """A loop in the condition of another loop has no count that could be handed out."""

    def program(n):
        def waits(i):
            return lax.fori_loop(0, n, lambda j, s: s + j, 0) > i

        return lax.while_loop(waits, lambda i: i + 1, 0)

    replayed = replay(program, I32)
    assert replayed.trips(1, [4]) is None
    assert replayed.trips(0, [4]) == [6]
    assert replayed.run([4]) == [[6]]


def test_what_stands_in_a_reducer_is_left_alone(replay):
    """A conditional in the function of a reduction cannot be disturbed, and counts as one that decides nothing."""
    program = replay(
        lambda x: lax.reduce(x, np.float32(0), lambda a, b: lax.cond(a > b, lambda: a * 2, lambda: b + 1), (0,)), VECTOR
    )
    ones = np.ones(3, "float32")
    for branch in (0, 1):
        assert program.decides([ones], kind="branch", id=0, branch=branch) == [False]
        assert program.decides([ones], kind="choice", id=0, branch=branch) == [False]


def test_loop_in_a_condition_is_disturbed(replay):
    """A loop in the condition of another loop decides how often that one runs."""

    def program(n):
        def waits(i):
            return lax.fori_loop(0, n, lambda j, s: s + j, 0) > i

        return lax.while_loop(waits, lambda i: i + 1, 0)

    replayed = replay(program, I32)
    assert replayed.disturb([4], kind="loop", id=1) == [[[101]], [[0]]]
    assert replayed.disturb([4], kind="limit", id=1, trips=3) == [[[3]]]


def test_undisturbed_outputs_survive_every_change(replay):
    """A change to one block leaves the outputs that do not depend on it as they were."""
    program = replay(lambda x, y: (switched(x), newton(y, 1e-6)[0]), F32, F32)
    before = program.run([1.5, 2.0])[0]
    (conditional,), (loop,) = program.structure.conditionals, program.structure.loops
    for run in program.disturb([1.5, 2.0], kind="conditional", id=conditional.id):
        np.testing.assert_allclose(run[0][1], before[1], rtol=1e-6)
    for run in program.disturb([1.5, 2.0], kind="loop", id=loop.id):
        np.testing.assert_allclose(run[0][0], before[0], rtol=1e-6)
