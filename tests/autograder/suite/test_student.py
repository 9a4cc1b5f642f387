"""The fixture `student`: names, values and calls; whatever a kernel answers is read as hostile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.faults import StudentFault, TamperFault
from autograder.link import Answer
from autograder.suite import f32, i32
from autograder.suite.student import Student

NOTEBOOK = """
    import jax
    from typing import NamedTuple

    class Pair(NamedTuple):
        root: float
        count: int

    @jax.jit
    def double(x):
        return 2 * x

    def pair(x, scale=1.0):
        print("so", "loud")
        return Pair(x * scale, 3)

    def empty(x):
        raise NotImplementedError

    def type_of(x):
        return [type(x).__name__.startswith("Array"), x.weak_type if hasattr(x, "weak_type") else type(x).__name__]

    predictions = [True, False, "shape"]
    nothing = ...
    model = object()
"""


@pytest.fixture
def student(student_of: Callable[[str], Student]) -> Student:
    """A student with a few definitions, answered by the real agent."""
    return student_of(NOTEBOOK)


def test_call_returns_the_value(student: Student) -> None:
    """A call gives what the function returned, as NumPy values."""
    assert student.double(f32(3)) == 6


def test_call_takes_keywords_and_gives_tuples(student: Student) -> None:
    """Keyword arguments arrive, and a named tuple comes back as a tuple."""
    root, count = student.pair(f32(3), scale=2.0)
    assert (float(root), count) == (6.0, 3)


def test_printed_text_of_the_last_call_is_kept(student: Student) -> None:
    """What the function printed can be read after the call."""
    student.pair(f32(3))
    assert student.printed == "so loud\n"


def test_arrays_that_a_call_deleted_are_known(student_of: Callable[[str], Student]) -> None:
    """Which arguments a call donated or deleted can be read after the call, as places of leaves."""
    student = student_of(
        """
        import jax
        give = jax.jit(lambda pair, x: (pair[0] + x, pair[1] * x), donate_argnums=0)
        keep = jax.jit(lambda pair, x: pair[0] + x)
        def by_hand(pair, *, x):
            x.delete()
        """
    )
    pair = (f32([1, 2]), f32(3))
    student.give(pair, f32(4))
    assert student.deleted == (0, 1)
    student.keep(pair, 1.0)
    assert student.deleted == ()
    student.by_hand(pair, x=f32([1]))
    assert student.deleted == (2,)


@pytest.mark.parametrize("deleted", [None, 0, [-1], [True], [1, 0], [0, 0], ["0"]])
def test_forged_deletions_are_tampering(scripted: Callable[..., Any], deleted: Any) -> None:
    """Deleted arguments are named by ascending places, or the answer is no honest agent's."""
    student, _, _ = scripted({"lookup": LOOKUP, "call": {"value": 1, "printed": "", "deleted": deleted}})
    with pytest.raises(TamperFault):
        student.double(f32(1))


@pytest.mark.parametrize(
    ("given", "arrives"),
    [(f32(3), [True, False]), (i32([1, 2]), [True, False]), (3.0, [False, "float"]), ("a", [False, "str"])],
)
def test_numpy_values_arrive_as_strong_arrays(student: Student, given: Any, arrives: list[Any]) -> None:
    """`f32(3)` is a strong `jax.Array` in the kernel; Python values stay what they are."""
    assert student.type_of(given) == arrives


def test_is_jitted(student: Student) -> None:
    """A function says whether it is the product of `jax.jit`."""
    assert student.double.is_jitted
    assert not student.pair.is_jitted


def test_function_of_a_name_that_the_class_uses(student_of: Callable[[str], Student]) -> None:
    """A function called `value` is reached by its name as a string."""
    assert student_of("def value(x): return x + 1").function("value")(f32(1)) == 2


def test_value_of_a_variable(student: Student) -> None:
    """A variable is read by its name."""
    assert student.value("predictions") == [True, False, "shape"]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda s: s.root(f32(1)), "`root` is not defined."),
        (lambda s: s.value("root"), "`root` is not defined."),
        (lambda s: s.empty(f32(1)), "`empty` is not answered yet."),
        (lambda s: s.empty.export(f32), "`empty` is not answered yet."),
        (lambda s: s.nothing(f32(1)), "`nothing` is not answered yet."),
        (lambda s: s.value("nothing"), "`nothing` is not answered yet."),
        (lambda s: s.predictions(f32(1)), "`predictions` is no function."),
        (lambda s: s.value("model"), "`model` should hold numbers, strings, or lists of them."),
    ],
)
def test_sentence_for_what_is_missing(student: Student, ask: Callable[[Student], Any], sentence: str) -> None:
    """What is missing, unanswered or of the wrong type is told in one sentence that names it."""
    with pytest.raises(StudentFault) as caught:
        ask(student)
    assert caught.value.message == sentence


LOOKUP = {"found": True, "callable": True, "jitted": False, "type": "function"}


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"found": 1, "callable": True, "jitted": False, "type": "function"},
        {"found": True, "callable": "yes", "jitted": False, "type": "function"},
        {"found": True, "callable": True, "jitted": None, "type": "function"},
        {"found": True, "callable": True, "jitted": False, "type": ["function"]},
    ],
)
def test_malformed_lookup_is_tampering(scripted: Callable[..., Any], answer: dict[str, Any]) -> None:
    """A kernel that does not answer in the agreed form has been tampered with."""
    student, _, _ = scripted({"lookup": answer})
    with pytest.raises(TamperFault):
        _ = student.double


GOOD_AVAL = {"dtype": "float32", "shape": []}


@pytest.mark.parametrize(
    "change",
    [
        {"in_avals": None},
        {"in_avals": [{"dtype": "float32"}]},
        {"out_avals": [{"dtype": "float32", "shape": [-1]}]},
        {"out_avals": [{"dtype": 32, "shape": []}]},
        {"out_avals": [{"dtype": "float32", "shape": [True]}]},
        {"out_avals": [{"dtype": "float32", "shape": [1] * 99}]},
        {"out_tree": 3},
        {"primitives": ["while"]},
    ],
)
def test_malformed_export_is_tampering(scripted: Callable[..., Any], change: dict[str, Any]) -> None:
    """An export whose description is not of the agreed form has been tampered with."""
    good = {"in_avals": [GOOD_AVAL], "out_avals": [GOOD_AVAL], "out_tree": "*", "primitives": {}}
    student, _, _ = scripted({"lookup": LOOKUP, "export": Answer(good | change, (b"program",))})
    with pytest.raises(TamperFault):
        student.double.export(f32)


def test_unknown_dtype_of_a_result_is_the_students(scripted: Callable[..., Any]) -> None:
    """A function that returns a random key has a result that no check can read, which is its own fault."""
    answer = {
        "in_avals": [GOOD_AVAL],
        "out_avals": [{"dtype": "key<fry>", "shape": []}],
        "out_tree": "*",
        "primitives": {},
    }
    student, _, _ = scripted({"lookup": LOOKUP, "export": Answer(answer, (b"program",))})
    with pytest.raises(StudentFault, match="dtype that cannot be checked"):
        student.double.export(f32)


def test_argument_left_out_of_a_program_is_the_students(scripted: Callable[..., Any]) -> None:
    """A program that takes fewer arguments than it was exported for is no program for all values."""
    answer = {"in_avals": [GOOD_AVAL], "out_avals": [GOOD_AVAL], "out_tree": "*", "primitives": {}}
    student, _, _ = scripted({"lookup": LOOKUP, "export": Answer(answer, (b"program",))})
    with pytest.raises(StudentFault, match="does not take every argument"):
        student.double.export(f32, f32)


def test_function_is_exported_once_for_all_tests(student_of: Callable[[str], Student]) -> None:
    """A function that is another program at every trace is judged by one of them, and a refusal stays one."""
    student = student_of(
        """
        traces = []

        def changing(x):
            traces.append(x)
            return x * len(traces)

        def grudging(x):
            traces.append(x)
            return x if len(traces) > 9 else x[:, 3]
        """
    )
    first = student.changing.export(f32)(1.0)
    assert [student.changing.export(f32, returns=1)(1.0) for _ in range(3)] == [first] * 3
    assert student.changing.export(i32)(1) > first
    for _ in range(9):
        with pytest.raises(StudentFault):
            student.grudging.export(f32)


def test_forged_value_is_tampering(scripted: Callable[..., Any]) -> None:
    """A value that no honest agent writes is not read."""
    student, _, _ = scripted({"lookup": LOOKUP, "call": {"value": {"t": "pickle"}, "printed": "", "deleted": []}})
    with pytest.raises(TamperFault):
        student.double(f32(1))


def test_hidden_value_in_an_exception_stays_hidden(student_of: Callable[[str], Student]) -> None:
    """A function that raises with its argument in the text does not carry it into the message."""
    student = student_of("def leak(x):\n    raise ValueError(f'it was {float(x)}')")
    with pytest.raises(StudentFault) as caught:
        student.leak(f32(123.25))
    assert "123" not in caught.value.message
    assert "123.25" in caught.value.detail


def test_arrays_in_dictionaries_cross(student_of: Callable[[str], Student]) -> None:
    """Arguments may be nested, for calls and for programs alike."""
    student = student_of("def add(p, y):\n    return p['b'] - p['a'][0] + y")
    assert student.add({"b": f32(5), "a": (f32(1),)}, f32(2)) == 6
    program = student.add.export({"b": f32, "a": (f32,)}, f32)
    assert program({"b": 5.0, "a": (1.0,)}, 2.0) == 6
    assert np.asarray(program({"a": (1.0,), "b": 5.0}, 2.0)) == 6
