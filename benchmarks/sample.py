"""The class that is graded: golden submissions, mixed as in a real one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MIXES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "newton_sqrt": (
        (
            *("right_infinite_change", "wrong_constant_count", "right_class_and_history", "wrong_counts_twice"),
            *("right_count_from_zero", "wrong_fixed_trips", "right_custom_derivative", "wrong_low_cap"),
            *("right_dict_jitted_later", "wrong_new_jit_each_call", "right_done_flag", "wrong_not_jitted"),
            *("right_namedtuple", "wrong_residual", "right_squared_form_capped", "wrong_start_plus_one"),
            *("right_warm_caches", "wrong_tol_static", "wrong_python_while"),
        ),
        "wrong_no_cap",
    ),
    "tax_switch": (
        (
            *("right_callable_object_and_partial", "wrong_at_the_edges", "right_closures_and_where"),
            *("wrong_base_of_the_top_bracket", "right_guard_branch", "wrong_branches_in_reverse"),
            *("right_inside_a_guard", "wrong_chain_of_cond", "right_piecewise_and_map", "wrong_half_precision"),
            *("right_rows_of_a_table", "wrong_loop_over_elements", "right_searchsorted_jitted"),
            *("wrong_rate_on_the_whole_income", "right_warmed_caches", "wrong_select_in_tax_switch"),
            *("right_x64", "wrong_vmapped_switch_is_a_select", "wrong_python_if"),
        ),
        "broken_never_ends",
    ),
}
"""By assignment: nine right, nine wrong and one that raises; and one that never ends."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """One submission.

    Attributes:
        student: nbgrader's student id.
        assignment: Name of the assignment.
        case: Name of the golden submission.
    """

    student: str
    assignment: str
    case: str


def sample(assignments: tuple[str, ...], students: int, *, endless: bool) -> Iterator[HandIn]:
    """Yields a class.

    Args:
        assignments: Names of assignments that have a mix.
        students: How many students hand in each of them.
        endless: Whether every twentieth hands in a loop that never ends, otherwise one more of the others.
    """
    for assignment in assignments:
        others, hangs = MIXES[assignment]
        for number in range(students):
            last = endless and number % 20 == 19
            case = hangs if last else others[(number - number // 20 * endless) % len(others)]
            yield HandIn(f"student-{number + 1:04}", assignment, case)
