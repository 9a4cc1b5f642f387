"""The program of `tax_switch` really branches: what runs in a bracket is that bracket's branch, and it decides the tax.

Two tests of equal weight, so that a chain of two-way conditionals, which passes the first alone, earns half. What both
ask is explained in `autograder.suite.branching`. Edges are left out: there two branches give the same tax.
"""

from __future__ import annotations

import pytest

from autograder.suite import f32, fail
from autograder.suite.branching import told_apart

pytestmark = pytest.mark.timeout(5)  # seconds of computing; a right answer needs a small part of one

BRACKETS = (
    (1_234.5, 5_050.0, 8_765.0),
    (13_131.0, 24_680.0, 36_363.0),
    (45_454.0, 71_717.0, 92_929.0),
    (121_212.0, 234_567.0, 676_767.0),
)
GROUPS = [[(income,) for income in bracket] for bracket in BRACKETS]


@pytest.fixture(scope="module")
def program(student):
    """The program of `tax_switch` for a float32 income."""
    return student.tax_switch.export(f32, returns=1)  # its shape and dtype are for scalar_numerics to judge


@pytest.mark.hint("`jnp.select` and `jnp.where` compute all and pick; `lax.switch` and `lax.cond` run one branch.")
def test_branches_at_run_time(program):
    """Which branch runs depends on the income, and decides the tax in every bracket."""
    found = program.conditionals(depends_on_input=True)
    if not found:
        fail("The program holds no conditional that depends on the income.")
    if not told_apart(program, GROUPS, by=found):
        fail("There is a conditional, but which branch runs does not decide the tax in every bracket.")


@pytest.mark.hint("`lax.switch(index, branches, income)` with one branch for each bracket, and an index from 0 to 3.")
def test_one_switch_for_the_four_brackets(program):
    """One conditional with at least four branches serves the four brackets, each by a branch of its own."""
    found = program.conditionals(min_branches=4, depends_on_input=True)
    if not found:
        fail("The program holds no conditional with four branches that depends on the income.")
    if not any(told_apart(program, GROUPS, by=(switch,)) for switch in found):
        fail("There is a conditional with four branches, but it does not serve each bracket by another one.")
