"""Each question is answered by the word of an option; which one is right is found out on the JAX that grades."""

from __future__ import annotations

import pytest

from autograder.suite import as_word, fail

TOPICS = (
    "operations outside of jit",
    "calls with other values",
    "a branch on x.ndim",
    "repairing if x > threshold",
    "print and jax.debug.print",
    "a number of rounds that changes",
    "what cannot be static",
    "measuring time",
)


@pytest.mark.parametrize("number", [pytest.param(n, id=f"{n}, {topic}") for n, topic in enumerate(TOPICS, start=1)])
def test_answer(student, reference, remark, number):
    """Question {id}: the answer is right."""
    question, name = reference.QUESTIONS[number], f"answer_{number}"
    chosen = as_word(student.value(name), question.words, what=f"`{name}`")
    explanations = reference.EXPLANATIONS[str(number)]
    if chosen != question.right:
        fail(explanations[chosen], hint=explanations["try"])
    remark(explanations[chosen])
