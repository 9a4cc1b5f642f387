"""Outcomes and weights become points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from autograder.faults import CourseFault
from autograder.records import CheckResult, Outcome, TestResult


@dataclass(frozen=True, slots=True)
class Total:
    """The points of a submission.

    Attributes:
        score: Sum of the points of all checks that have points.
        max_score: Sum of the maxima of all checks, whatever came of them.
        pending: The grade_ids of checks that wait for a person.
    """

    score: float
    max_score: float
    pending: tuple[str, ...]


def score(max_points: Mapping[str, float], results: Mapping[str, Sequence[TestResult]]) -> tuple[CheckResult, ...]:
    """Gives every check its points: the share of the weight that passed, of the points of its cell.

    Args:
        max_points: Points of every grade cell of the release, in its order.
        results: The tests of each check. A check without tests is not gradable, never passed.

    Returns:
        One result for every grade cell, in order; `points` is `None` where a test is not gradable.

    Raises:
        CourseFault: There are results for a cell that the release does not have.
    """
    if unknown := sorted(set(results) - set(max_points)):
        raise CourseFault(f"There are results for {unknown[0]!r}, which is no grade cell of the release.")
    return tuple(
        _check(grade_id, float(points), tuple(results.get(grade_id, ()))) for grade_id, points in max_points.items()
    )


def total(checks: Sequence[CheckResult]) -> Total:
    """Sums up the checks; exact decimals stay exact, so that full marks are full marks."""
    return Total(
        score=_sum(check.points for check in checks if check.points is not None),
        max_score=_sum(check.max_points for check in checks),
        pending=tuple(check.grade_id for check in checks if check.points is None),
    )


def _check(grade_id: str, max_points: float, tests: tuple[TestResult, ...]) -> CheckResult:
    if not tests or any(test.outcome is Outcome.NOT_GRADABLE for test in tests):
        return CheckResult(grade_id, Outcome.NOT_GRADABLE, None, max_points, tests)
    whole = sum(Fraction(test.weight) for test in tests)
    passed = sum((Fraction(test.weight) for test in tests if test.outcome is Outcome.PASSED), Fraction(0))
    points = float(_decimal(max_points) * passed / whole)
    if passed == whole:
        return CheckResult(grade_id, Outcome.PASSED, max_points, max_points, tests)
    return CheckResult(grade_id, Outcome.PARTIAL if passed else Outcome.FAILED, points, max_points, tests)


def _sum(points: Iterable[float]) -> float:
    return float(sum((_decimal(value) for value in points), Fraction(0)))


def _decimal(value: float) -> Fraction:
    """Returns the fraction that a decimal like 0.1 stands for, not its binary neighbour."""
    return Fraction(str(value))
