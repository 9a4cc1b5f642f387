"""What came of a submission, in a line."""

from __future__ import annotations

from autograder.records import Evaluation


def came(evaluation: Evaluation) -> str:
    """Returns what came of a submission in a line: its points, what did not pass, and the limits that it hit."""
    words = [f"{evaluation.score:g} of {evaluation.max_score:g}"]
    by_outcome: dict[str, list[str]] = {}
    for check in evaluation.checks:
        by_outcome.setdefault(str(check.outcome).replace("_", " "), []).append(check.grade_id)
    words += [f"{outcome}: {', '.join(names)}" for outcome, names in by_outcome.items() if outcome != "passed"]
    if evaluation.limits:
        words.append(f"limits: {', '.join(sorted({limit.cause for limit in evaluation.limits}))}")
    return "; ".join(words)
