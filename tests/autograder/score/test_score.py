"""Points from outcomes and weights."""

from __future__ import annotations

import pytest

from autograder.faults import CourseFault
from autograder.records import CheckResult, Outcome, TestResult
from autograder.score import score, total


def results(*outcomes: str, weights: tuple[float, ...] = ()) -> tuple[TestResult, ...]:
    """Returns one test for each outcome."""
    weights = weights or (1.0,) * len(outcomes)
    return tuple(
        TestResult(f"test_{place}", "", Outcome(outcome), weight)
        for place, (outcome, weight) in enumerate(zip(outcomes, weights, strict=True))
    )


def one(max_points: float, *outcomes: str, weights: tuple[float, ...] = ()) -> CheckResult:
    """Returns the result of a single check."""
    (check,) = score({"c": max_points}, {"c": results(*outcomes, weights=weights)})
    return check


def test_points_are_shared_out_by_weight() -> None:
    """A check earns the share of the weight that passed."""
    check = one(6, "passed", "failed", "passed", weights=(1, 2, 3))
    assert (check.outcome, check.points, check.max_points) == (Outcome.PARTIAL, 4, 6)


@pytest.mark.parametrize("max_points", [0.1, 1 / 3, 0.7, 5, 1e-9])
@pytest.mark.parametrize("weights", [(0.1, 0.2, 0.7), (1 / 3, 1 / 3, 1 / 3), (1e-9, 3, 1e9)])
def test_full_marks_are_exact(max_points: float, weights: tuple[float, ...]) -> None:
    """Whatever the weights, all passed is exactly the maximum."""
    check = one(max_points, "passed", "passed", "passed", weights=weights)
    assert (check.outcome, check.points) == (Outcome.PASSED, max_points)


def test_all_failed_is_zero() -> None:
    """All failed is zero points, and a final outcome."""
    check = one(3, "failed", "failed")
    assert (check.outcome, check.points) == (Outcome.FAILED, 0)


@pytest.mark.parametrize("others", [(), ("passed",), ("failed",), ("passed", "failed")])
def test_one_test_that_is_not_gradable_makes_the_check_so(others: tuple[str, ...]) -> None:
    """A check with a test that could not be judged has no points yet, and keeps its maximum."""
    check = one(3, "not_gradable", *others)
    assert (check.outcome, check.points, check.max_points) == (Outcome.NOT_GRADABLE, None, 3)


@pytest.mark.parametrize("given", [{}, {"c": ()}])
def test_check_without_tests_is_not_gradable(given: dict[str, tuple[TestResult, ...]]) -> None:
    """No test is never a pass."""
    (check,) = score({"c": 3}, given)
    assert (check.outcome, check.points, check.max_points) == (Outcome.NOT_GRADABLE, None, 3)


def test_checks_come_in_the_order_of_the_release() -> None:
    """The order is that of the maxima, whatever the order of the results."""
    checks = score({"b": 1, "a": 2}, {"a": results("passed"), "b": results("failed")})
    assert [check.grade_id for check in checks] == ["b", "a"]


def test_results_of_an_unknown_check_are_refused() -> None:
    """A result for a cell that the release does not have is a fault of the course, not lost in silence."""
    with pytest.raises(CourseFault, match="'x'"):
        score({"c": 1}, {"x": results("passed")})


def test_cell_without_points_earns_none() -> None:
    """A grade cell may be worth nothing."""
    assert one(0, "passed").points == 0
    assert one(0, "failed").outcome is Outcome.FAILED


def test_total_lists_what_is_pending() -> None:
    """The total sums what has points; the maximum never changes."""
    checks = score(
        {"a": 0.1, "b": 0.2, "c": 5}, {"a": results("passed"), "b": results("passed"), "c": results("not_gradable")}
    )
    found = total(checks)
    assert (found.score, found.max_score, found.pending) == (0.3, 5.3, ("c",))
