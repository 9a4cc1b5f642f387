"""Whether conditionals tell inputs apart: right forms do, decoys of every kind do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autograder.suite import Program, f32
from autograder.suite.branching import told_apart
from autograder.suite.student import Student

NOTEBOOK = """
    import jax.numpy as jnp
    from jax import lax

    TWICE, SHIFTED, THRICE = lambda x: 2 * x, lambda x: x + 9, lambda x: 3 * x

    def index(x):
        return jnp.int32(x > 10) + jnp.int32(x > 20)

    def selected(x):
        return jnp.select([x <= 10, x <= 20], [2 * x, x + 9], 3 * x)

    def switch(x):
        return lax.switch(index(x), [TWICE, SHIFTED, THRICE], x)

    def rows(x):
        slope, offset = lax.switch(index(x), [lambda: (2.0, 0.0), lambda: (1.0, 9.0), lambda: (3.0, 0.0)])
        return slope * x + offset

    def covering(x):
        def steps(number):
            return lambda x: sum(jnp.clip(x - start, 0, 10) for start in (0, 10, 20)[:number])
        return lax.switch(index(x), [steps(1), steps(2), steps(3)], x)

    def chain(x):
        return lax.cond(x > 10, lambda x: lax.cond(x > 20, THRICE, SHIFTED, x), TWICE, x)

    def guarded(x):
        return lax.cond(x < 0, lambda x: 0 * x, switch, x)

    def times_zero(x):
        return selected(x) + 0 * switch(x)

    def index_times_zero(x):
        return lax.switch(index(0 * x), [selected, SHIFTED, THRICE], x)

    def equal_branches(x):
        return lax.switch(index(x), [selected, lambda x: selected(x) + 0, lambda x: 1 * selected(x)], x)

    def relay(x):
        return lax.switch(index(x), [lambda y: y, lambda y: y + 0, lambda y: y * 1], selected(x))

    def adds_nothing(x):
        return selected(x) + lax.switch(index(x), [lambda x: 0 * x, lambda x: x - x, jnp.zeros_like], x)

    def two_alike(x):
        return lax.switch(index(x), [lambda x: jnp.where(x <= 10, 2 * x, x + 9)] * 2 + [THRICE], x)

    def by_counter(x):
        return lax.fori_loop(0, 3, lambda k, y: y + lax.switch(k, [TWICE, SHIFTED, THRICE], x), x)
"""
GROUPS = [[(3.0,), (8.0,)], [(12.0,), (17.0,)], [(23.0,), (31.0,)]]


@pytest.fixture
def program_of(student_of: Callable[[str], Student]) -> Callable[[str], Program]:
    """Exports a function of the notebook above."""
    return lambda name: student_of(NOTEBOOK).function(name).export(f32)


@pytest.mark.parametrize("name", ["switch", "rows", "covering", "guarded"])
def test_one_switch_tells_groups_apart(program_of: Callable[[str], Program], name: str) -> None:
    """A switch that decides the output does, whatever stands around it or in its branches."""
    program = program_of(name)
    (switch,) = program.conditionals(min_branches=3)
    assert told_apart(program, GROUPS, by=[switch])


def test_a_chain_tells_groups_apart_together(program_of: Callable[[str], Program]) -> None:
    """Two-way conditionals do it together, and none of them alone."""
    program = program_of("chain")
    found = program.conditionals()
    assert told_apart(program, GROUPS, by=found)
    assert not any(told_apart(program, GROUPS, by=[conditional]) for conditional in found)


@pytest.mark.parametrize(
    "name",
    ["times_zero", "index_times_zero", "equal_branches", "relay", "adds_nothing", "two_alike", "by_counter"],
)
def test_a_decoy_tells_nothing_apart(program_of: Callable[[str], Program], name: str) -> None:
    """A conditional does not when its result or the choice of its branch does not matter."""
    program = program_of(name)
    found = program.conditionals(min_branches=3)
    assert found
    assert not told_apart(program, GROUPS, by=found)


def test_no_conditional_tells_nothing_apart(program_of: Callable[[str], Program]) -> None:
    """Without a conditional, groups are not told apart; a single group needs none."""
    program = program_of("selected")
    assert not told_apart(program, GROUPS, by=())
    assert told_apart(program, GROUPS[:1], by=())
