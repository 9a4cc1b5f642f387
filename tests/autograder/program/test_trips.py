"""Trip counts are exact where they are given: they agree with counting."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.extend.mlir import ir

from autograder.program.module import LOOP, bindings, walk
from autograder.program.trips import trip_count

COMPARISONS = {"LT": operator.lt, "LE": operator.le, "GT": operator.gt, "GE": operator.ge, "NE": operator.ne}
INT8 = st.integers(-128, 127)


def told(
    start: int, step: int, end: int, direction: str, *, operands: str = "%c, %e", change: str = "add"
) -> int | None:
    """Returns the trip count that the operations of a loop over an int8 counter tell."""
    text = f"""
%b = stablehlo.constant dense<{start}> : tensor<i8>
%s = stablehlo.constant dense<{step}> : tensor<i8>
%e = stablehlo.constant dense<{end}> : tensor<i8>
%r = stablehlo.while(%c = %b) : tensor<i8>
  cond {{
    %p = stablehlo.compare {direction}, {operands}, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %n = stablehlo.{change} %c, %s : tensor<i8>
    stablehlo.return %n : tensor<i8>
  }}"""
    with bindings():
        module = ir.Module.parse(text)
        (loop,) = (op for op, _ in walk(module.body) if op.name == LOOP)
        return trip_count(loop)


def counted(start: int, step: int, goes_on) -> int | None:
    """Counts the iterations; `None` if the counter leaves the range of int8, or never moves."""
    count = 0
    while goes_on(start):
        start, count = start + step, count + 1
        if step == 0 or not -128 <= start <= 127:
            return None
    return count


@settings(deadline=None)
@given(INT8, st.integers(-5, 5) | INT8, INT8, st.sampled_from(sorted(COMPARISONS)))
def test_trip_count_is_the_number_of_iterations(start, step, end, direction):
    """A plain counter has exactly the trip count that counting gives, and none where it would wrap round."""
    compare = COMPARISONS[direction]
    assert told(start, step, end, direction) == counted(start, step, lambda i: compare(i, end))


@settings(deadline=None)
@given(INT8, st.integers(-5, 5), INT8, st.sampled_from(sorted(COMPARISONS)))
def test_trip_count_of_turned_forms(start, step, end, direction):
    """It does not matter on which side of the comparison the counter stands, nor whether the step is subtracted."""
    compare = COMPARISONS[direction]
    turned = told(start, step, end, direction, operands="%e, %c", change="subtract")
    assert turned == counted(start, -step, lambda i: compare(end, i))


@pytest.mark.parametrize("operands", ["%c, %c", "%e, %e"])
def test_comparisons_that_do_not_compare_the_counter_with_a_constant(operands):
    """A condition of another form gives no trip count."""
    assert told(0, 1, 5, "LT", operands=operands) is None
