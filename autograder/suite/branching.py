"""Do the conditionals of a program really tell groups of inputs apart, or do they stand beside the computation?

Two questions, which a decoy cannot answer both. Does the branch that runs decide the output? *Disturbing* it shows:
`0 * switch(...)` and an unused conditional fail. Does it matter *which* branch runs? *Choosing* another one shows:
branches that are all equal, that hand on what was computed before, or that add nothing, fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

from autograder.program.structure import Conditional
from autograder.suite.program import Program

Inputs = Sequence[tuple[Any, ...]]


def told_apart(program: Program, groups: Sequence[Inputs], *, by: Sequence[Conditional]) -> bool:
    """Tells whether, for every two inputs of different groups, one of the conditionals tells them apart.

    It does when exactly one of its branches decides the output at each of the two inputs, these are two different
    branches, and at one of the inputs the output changes when it takes the other's branch. One of the two is enough:
    the branch of a higher bracket may hold all that the lower one computes.

    Args:
        program: The exported program.
        groups: Inputs that belong together, as argument tuples; keep away from edges where two branches agree.
        by: The conditionals that may do it: all that are fit for it, or a single one.
    """
    inputs = [arguments for group in groups for arguments in group]
    group_of = [number for number, group in enumerate(groups) for _ in group]
    open_pairs = {(a, b) for a, b in combinations(range(len(inputs)), 2) if group_of[a] != group_of[b]}
    for conditional in by:
        if open_pairs:
            open_pairs -= _pairs_told_apart(program, inputs, conditional)
    return not open_pairs


def _pairs_told_apart(program: Program, inputs: Inputs, conditional: Conditional) -> set[tuple[int, int]]:
    """Returns the pairs of places in `inputs` that this conditional tells apart."""
    deciding = program.branches_deciding(inputs, conditional=conditional)
    taken = {place: next(iter(found)).branch for place, found in enumerate(deciding) if len(found) == 1}
    by_choosing = {
        branch: program.changed_by_choosing(conditional, branch, inputs) for branch in sorted(set(taken.values()))
    }
    return {
        (a, b)
        for a, b in product(taken, taken)
        if a < b and taken[a] != taken[b] and (by_choosing[taken[b]][a] or by_choosing[taken[a]][b])
    }
