"""Why a submission was graded or not: what has changed since it was evaluated the last time, in words."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.records import Environment
from autograder.store import Parts, Store

NEW = "new"
CHANGED = "changed"
"""What changed is not known: the last evaluation was kept by an older version, or is gone."""
UP_TO_DATE = "up to date"
KNOWN = "evaluated before"
UNRECORDED = "its marks did not stand in the gradebook, or were for work of another time"

_PARTS = {
    "submission": "the submission changed",
    "release": "the release changed",
    "suite": "the suite changed",
    "limits": "limits changed",
}
_VERSIONS = {"autograder": "autograder", "python": "Python", "jax": "JAX", "jaxlib": "jaxlib", "numpy": "NumPy"}


def why_graded(store: Store, now: Parts, *, environment: Environment, last: str | None) -> str:
    """Returns why a submission is to be evaluated, or its marks to be recorded.

    Args:
        store: Where the last evaluation may lie.
        now: What decides the evaluation that is to be made.
        environment: With what it will be made.
        last: Digest of the student's last evaluation; `None` if there is none.
    """
    if last is None:
        return NEW
    if last == now.key:
        return UNRECORDED
    evaluation, parts = store.load(last), store.parts(last)
    if evaluation is None or parts is None:
        return CHANGED
    return ", ".join(changes((parts, evaluation.environment), (now, environment))) or CHANGED


def changes(before: tuple[Parts, Environment], now: tuple[Parts, Environment]) -> Iterator[str]:
    """Yields what differs between two evaluations: `the suite changed`, `JAX 0.10.2 -> 0.12.0`.

    Args:
        before: What decided the one, and with what it was made.
        now: The same of the other.
    """
    for part, words in _PARTS.items():
        if getattr(before[0], part) != getattr(now[0], part):
            yield words
    told = set()
    for name, words in {**_VERSIONS, "sandbox": "sandbox"}.items():
        old, new = getattr(before[1], name), getattr(now[1], name)
        if old != new and (old, new) not in told:  # jaxlib goes with JAX
            told.add((old, new))
            yield f"{words} {old} -> {new}"
    if before[0].program != now[0].program and before[1].autograder == now[1].autograder:
        yield "the grader itself changed"
