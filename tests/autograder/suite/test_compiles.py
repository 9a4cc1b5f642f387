"""Compile counts: what they see, and that none stands without evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.faults import CourseFault, LimitFault, StudentFault, TamperFault
from autograder.link import Answer
from autograder.suite import f32, i32
from autograder.suite.compiles import Compile, CompileCount
from autograder.suite.student import Student

NOTEBOOK = """
    import jax
    import jax.numpy as jnp
    from functools import partial

    @jax.jit
    def double(x):
        return 2 * x

    @partial(jax.jit, static_argnums=1)
    def power(x, n):
        return x ** n

    @partial(jax.jit, static_argnums=1)
    def ignores(x, n):
        return x

    def fresh(x):
        return jax.jit(lambda y: y + 1)(x)

    def unjitted(x):
        return jnp.where(x > 0, x, -x)
"""


@pytest.fixture
def student(student_of: Callable[[str], Student]) -> Student:
    """A student with functions that compile once, always, or for each static value."""
    return student_of(NOTEBOOK)


def test_warm_call_compiles_nothing(student: Student) -> None:
    """After one call, another value of the same type is a cache hit."""
    program = student.double.export(f32)
    student.double(f32(1))
    with student.count_compiles(evidence=program) as compiles:
        student.double(f32(2))
    assert compiles() == 0
    assert compiles.causes() == ""


def test_new_type_compiles_once_and_says_so(student: Student) -> None:
    """Another dtype compiles once more, and the cause is told in words."""
    program = student.double.export(f32)
    student.double(f32(1))
    with student.count_compiles(evidence=program) as compiles:
        student.double(i32(2))
    assert compiles() == compiles("double") == 1
    assert compiles("other") == 0
    assert compiles.causes().startswith("double: ")


def test_equal_causes_are_told_once() -> None:
    """Causes that repeat are counted, and of many different ones the first few are shown."""
    count = CompileCount()
    count.end((Compile("f", "new shape"), *[Compile("g", "")] * 3, *[Compile(name, "") for name in "abcdefhij"]))
    assert count.causes().splitlines() == ["f: new shape", "g (3 times)", "a", "b", "and 7 more causes"]
    assert (count(), count("g")) == (13, 3)


def test_input_in_the_name_of_a_function_is_not_told() -> None:
    """A kernel sees the inputs of a call, and can put them into a name or a cause; numbers of dtypes alone are kept."""
    count = CompileCount()
    count.end((Compile("of_80.25_and_1e-06", "argument x changed: shape (7) -> (5) and dtype int32 -> float64"),))
    told = "of_#_and_#: argument x changed: shape (#) -> (#) and dtype int32 -> float64"
    assert (count.causes(), count("of_80.25_and_1e-06")) == (told, 1)


def test_fresh_window_counts_from_empty_caches(student: Student) -> None:
    """With `fresh` the first call compiles again."""
    program = student.double.export(f32)
    student.double(f32(1))
    with student.count_compiles(evidence=program, fresh=True) as compiles:
        student.double(f32(1))
    assert compiles() >= 1


def test_count_needs_evidence(student: Student) -> None:
    """There is no count without a program, since the kernel can say what it likes."""
    with pytest.raises(TypeError, match="evidence"):
        student.count_compiles()  # type: ignore[call-arg]
    with pytest.raises(CourseFault, match="without a program"), student.count_compiles(evidence=()):
        pass


def test_count_is_read_after_the_window(student: Student) -> None:
    """A suite that reads a count too early is at fault."""
    program = student.double.export(f32)
    with student.count_compiles(evidence=program) as compiles, pytest.raises(CourseFault, match="while its window"):
        compiles()


def test_once_passes_for_a_right_function(student: Student) -> None:
    """A jitted function compiles once for its type and once for each new shape."""
    student.double.assert_compiles_once([(f32(1),), (f32(2),)], new_shapes=[(f32[3](1),), (f32[4](1),)])


def test_once_passes_for_an_unjitted_function_under_the_harness_jit(student: Student) -> None:
    """`student.f.jitted` jits a function that the student left as it is."""
    student.unjitted.jitted.assert_compiles_once([(f32(1),), (f32(-2),)], new_shapes=[(f32[3](1),)])


@pytest.mark.parametrize("name", ["power", "ignores"])
def test_once_fails_for_a_static_argument(student: Student, name: str) -> None:
    """A static argument fails by the evidence, used or not, before anything is counted."""
    with pytest.raises(StudentFault, match="makes an argument static"):
        student.function(name).assert_compiles_once([(f32(1), i32(2)), (f32(1), i32(3))])


def test_once_fails_for_a_new_jit_on_every_call(student: Student) -> None:
    """A function that jits a new lambda on every call compiles on every call, and the sentence says so."""
    with pytest.raises(StudentFault) as caught:
        student.fresh.assert_compiles_once([(f32(1),), (f32(2),), (f32(3),)])
    first, *causes = caught.value.message.splitlines()
    assert first == (
        "`fresh`: after one call, further calls with other values of the same types should compile nothing, "
        "but compiled 2. Compiled were:"
    )
    assert causes


def test_once_fails_when_a_new_shape_compiles_too_much(student: Student) -> None:
    """An unjitted function compiles several small programs for a new shape."""
    with pytest.raises(StudentFault, match="new shape should compile 1 program, but compiled"):
        student.unjitted.assert_compiles_once([(f32(1),), (f32(2),)], new_shapes=[(f32[3](1),)])


def test_once_needs_two_calls(student: Student) -> None:
    """A suite that gives one call has nothing to count."""
    with pytest.raises(CourseFault, match="two calls"):
        student.double.assert_compiles_once([(f32(1),)])


def test_once_needs_calls_of_one_type(student: Student) -> None:
    """A suite that mixes types among the calls would blame the student for its own compile."""
    with pytest.raises(CourseFault, match="same types"):
        student.double.assert_compiles_once([(f32(1),), (1.0,)])


AVAL = {"dtype": "float32", "shape": []}
STRUCTURE = {
    "in_avals": [AVAL],
    "out_avals": [AVAL],
    "operations": {},
    "custom_calls": [],
    "size": 0,
    "conditionals": [],
    "loops": [],
}
KERNEL = {
    "lookup": {"found": True, "callable": True, "jitted": True, "type": "f"},
    "export": Answer({"in_avals": [AVAL], "out_avals": [AVAL], "out_tree": "*", "primitives": {}}, (b"program",)),
    "open_window": {"window": 1},
    "close_window": {"events": [], "canary": True},
}
BOX = {"describe": {"structure": STRUCTURE}}


def test_unseen_canary_is_tampering(scripted: Callable[..., Any]) -> None:
    """A kernel that no longer sees a compile that it made itself cannot count."""
    student, kernel, _ = scripted(KERNEL | {"close_window": {"events": [], "canary": False}}, BOX)
    with pytest.raises(TamperFault, match="mean nothing"), student.count_compiles(evidence=student.f.export(f32)):
        pass
    assert kernel.asked[-1]["op"] == "close_window"


@pytest.mark.parametrize(
    "events", [None, [1], [{"name": "jit(f)"}], [{"name": 1, "cause": ""}], [{"name": "f", "cause": ""}] * 10_001]
)
def test_malformed_events_are_tampering(scripted: Callable[..., Any], events: Any) -> None:
    """Events that no honest agent writes are not counted."""
    student, _, _ = scripted(KERNEL | {"close_window": {"events": events, "canary": True}}, BOX)
    with pytest.raises(TamperFault), student.count_compiles(evidence=student.f.export(f32)):
        pass


def test_evidence_of_another_type_is_tampering(scripted: Callable[..., Any]) -> None:
    """A program that does not take what the kernel says that it takes is no evidence."""
    other = STRUCTURE | {"in_avals": []}
    student, kernel, _ = scripted(KERNEL, {"describe": {"structure": other}})
    with pytest.raises(TamperFault, match="another type"), student.count_compiles(evidence=student.f.export(f32)):
        pass
    assert "open_window" not in [request["op"] for request in kernel.asked]


def test_window_is_closed_when_the_block_fails(scripted: Callable[..., Any]) -> None:
    """A call that raises inside a window leaves no window open, and its own fault is what counts."""
    student, kernel, _ = scripted(KERNEL | {"call": StudentFault("boom")}, BOX)
    with pytest.raises(StudentFault, match="boom"), student.count_compiles(evidence=student.f.export(f32)):
        student.f(f32(1))
    assert kernel.asked[-1]["op"] == "close_window"


def test_window_of_a_dead_box_is_not_closed(scripted: Callable[..., Any]) -> None:
    """A box that died took its window along: asking again would only start another box."""
    student, kernel, _ = scripted(KERNEL | {"call": LimitFault("too long", cause="wall")}, BOX)
    with pytest.raises(LimitFault), student.count_compiles(evidence=student.f.export(f32)):
        student.f(f32(1))
    assert kernel.asked[-1]["op"] == "call"
