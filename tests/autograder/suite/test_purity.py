"""Purity: what a function depends on beside its arguments, and what it leaves behind, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.faults import StudentFault, TamperFault
from autograder.suite import f32
from autograder.suite.student import Student

NOTEBOOK = """
    import jax
    import jax.numpy as jnp
    import random

    lr, x, SCALE = 0.1, jnp.ones(3), 2.0
    seen = []

    def pure(w, v):
        jax.debug.print("{}", w)
        return w * v * SCALE

    def uses_lr(w, v):
        return w * v * lr

    @jax.jit
    def uses_x(w, v):
        return w * v + x

    def remembers(w, v):
        seen.append(1)
        return w * v

    def closed():
        kept = []
        def remembers(w, v):
            kept.append(1)
            return w * v
        return remembers

    hidden = closed()

    def prints(w, v):
        print("so", "loud")
        return w * v

    def rolls(w, v):
        return w * v * random.random()

    def by_value(w, v):
        print("at", float(w))
        return w * v if w > 0 else v

    def raises(w, v):
        raise ValueError("no")

    def pair(w, *, v):
        return w * v["x"] * lr
"""


@pytest.fixture
def student(student_of: Callable[[str], Student]) -> Student:
    """A student with pure and impure functions, answered by the real agent."""
    return student_of(NOTEBOOK)


def test_pure_function(student: Student) -> None:
    """A function that reads a constant and prints by `jax.debug.print` is pure, traced and called."""
    student.pure.assert_pure(f32, f32[3], parameters=["lr", "w"])
    student.pure.assert_pure(f32(2), f32([1, 2, 3]), parameters=["lr", "w"])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "uses_lr",
            "`uses_lr` depends on the global variable `lr`: with another value there, or with none, "
            "it no longer does the same.",
        ),
        (
            "uses_x",
            "`uses_x` depends on the global variable `x`: with another value there, or with none, "
            "it no longer does the same.",
        ),
        ("rolls", "`rolls` comes to something else each time it is traced."),
        ("remembers", "`remembers` changes the global variable `seen` while it is traced."),
        ("hidden", "`hidden` changes the global variable `hidden` while it is traced."),
        ("prints", "`prints` prints while it is traced."),
    ],
)
def test_sentence_for_what_is_impure(student: Student, name: str, sentence: str) -> None:
    """Each kind of impurity is told in one sentence that names the global."""
    with pytest.raises(StudentFault) as caught:
        student.function(name).assert_pure(f32, f32[3], parameters=["lr", "x", "w"])
    assert caught.value.message == sentence


def test_number_of_another_name_is_a_constant(student: Student) -> None:
    """A global number is suspected only if it has a parameter's name."""
    student.uses_lr.assert_pure(f32, f32[3], parameters=["w", "x"])


def test_called_function_may_print_and_branch(student: Student) -> None:
    """A function that is called with values need not be traceable, and may print."""
    found = student.by_value.purity(f32(1), f32(2))
    assert (found.traced, found.printed) == (False, "at 1.0\n")
    found.assert_depends_on_arguments()
    found.assert_leaves_nothing()


def test_called_function_may_not_change_globals(student: Student) -> None:
    """A change of a global is a side effect of a call as well."""
    with pytest.raises(StudentFault, match="`remembers` changes the global variable `seen` while it is called"):
        student.remembers.purity(f32(1), f32(2)).assert_leaves_nothing()


def test_nested_and_named_arguments(student: Student) -> None:
    """Arguments are nested and named as for `export`."""
    assert student.pair.purity(f32, v={"x": f32[3]}, parameters=["lr"]).depends_on == ("lr",)


def test_function_that_raises(student: Student) -> None:
    """A function that raises with its globals as they are is told like any other exception."""
    with pytest.raises(StudentFault, match="`raises` raised ValueError"):
        student.raises.purity(f32, f32)


LOOKUP = {"found": True, "callable": True, "jitted": False, "type": "function"}
ANSWER = {"depends_on": [], "changed": [], "printed": "", "repeatable": True}


@pytest.mark.parametrize(
    "change",
    [
        {"depends_on": None},
        {"depends_on": ["lr"]},
        {"depends_on": [{"name": "lr", "poisoned": "same"}]},
        {"depends_on": [{"name": "lr", "poisoned": [], "deleted": {}}]},
        {"depends_on": [{"name": 1, "poisoned": "same", "deleted": "raised"}]},
        {"depends_on": [{"name": "lr", "poisoned": "same", "deleted": "raised"}] * 101},
        {"changed": [1]},
        {"changed": ["a" * 300]},
        {"changed": "seen"},
        {"printed": 1},
        {"repeatable": 1},
    ],
)
def test_malformed_answer_is_tampering(scripted: Callable[..., Any], change: dict[str, Any]) -> None:
    """A kernel that does not answer in the agreed form has been tampered with."""
    student, _, _ = scripted({"lookup": LOOKUP, "purity": ANSWER | change})
    with pytest.raises(TamperFault):
        student.f.purity(f32)


def test_what_is_no_name_is_not_repeated(scripted: Callable[..., Any]) -> None:
    """A kernel cannot put text or numbers of its own into a sentence, and a long list is cut."""
    student, _, _ = scripted({"lookup": LOOKUP, "purity": ANSWER | {"changed": ["ask <b>me</b>", "(the function)"]}})
    with pytest.raises(StudentFault) as caught:
        student.f.assert_pure(f32)
    assert caught.value.message == "`f` changes what it keeps between its runs while it is traced."
    student, _, _ = scripted({"lookup": LOOKUP, "purity": ANSWER | {"changed": ["seen_1_75"]}})
    with pytest.raises(StudentFault, match="`f` changes the global variable `seen_#_##` while"):
        student.f.assert_pure(f32)
    student, _, _ = scripted({"lookup": LOOKUP, "purity": ANSWER | {"changed": list("abcdefg")}})
    with pytest.raises(StudentFault) as caught:
        student.f.assert_pure(f32)
    assert caught.value.message.endswith("the global variable `d`, others while it is traced.")
