"""Public examples of what the program of `tax_switch` must look like; the hidden tests try other incomes."""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail
from autograder.suite.branching import told_apart

GROUPS = [[(5_000.0,), (9_000.0,)], [(25_000.0,), (30_000.0,)], [(70_000.0,), (80_000.0,)], [(250_000.0,)]]
"""A few incomes of each bracket, none on an edge."""


@pytest.mark.hint("`jnp.select` and `jnp.where` compute all and pick; `lax.switch` and `lax.cond` run one branch.")
def test_branches_at_run_time(student):
    """Which branch runs depends on the income, and decides the tax in every bracket."""
    program = student.tax_switch.export(f32, returns=1)
    found = program.conditionals(depends_on_input=True)
    if not found:
        fail("The program holds no conditional that depends on the income.")
    if not told_apart(program, GROUPS, by=found):
        fail("There is a conditional, but which branch runs does not decide the tax in every bracket.")


@pytest.mark.hint("`lax.switch(index, branches, income)` with one branch for each bracket, and an index from 0 to 3.")
def test_one_switch_for_the_four_brackets(student):
    """One conditional with at least four branches serves the four brackets, each by a branch of its own."""
    program = student.tax_switch.export(f32, returns=1)
    found = program.conditionals(min_branches=4, depends_on_input=True)
    if not found:
        fail("The program holds no conditional with four branches that depends on the income.")
    if not any(told_apart(program, GROUPS, by=(switch,)) for switch in found):
        fail("There is a conditional with four branches, but it does not serve each bracket by another one.")
