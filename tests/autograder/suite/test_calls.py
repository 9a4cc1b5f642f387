"""Calls that a student wrote down arrive as data, with what JAX sees of them, and can be made here."""

from __future__ import annotations

from collections.abc import Callable

import jax
import pytest

from autograder.faults import RaisedFault, StudentFault
from autograder.suite import f32
from autograder.suite.student import Student

NOTEBOOK = """
    import jax, jax.numpy as jnp, numpy as np
    from autograder import call
    {}
"""


def seen(value: object) -> str:
    """Returns what JAX sees of an argument, and who made it."""
    return f"{type(value).__name__} {jax.typeof(value)}"


@pytest.fixture
def calls_of(student_of: Callable[[str], Student]) -> Callable[[str], tuple]:
    """Reads the calls of a notebook that defines `e1`."""
    return lambda line: student_of(NOTEBOOK.format(line)).calls("e1")


def test_calls_are_read_with_form_and_values(calls_of: Callable[[str], tuple]) -> None:
    """Arguments by position and by keyword, Python's own values and structures arrive as they were."""
    one, two = calls_of("e1 = call(2, [1.5, {'a': (True, None)}], mode='b'), call()")
    assert (one.args, one.kwargs) == ((2, [1.5, {"a": (True, None)}]), {"mode": "b"})
    assert (two.args, two.kwargs) == ((), {})


@pytest.mark.parametrize(
    ("written", "arrives"),
    [
        ("jnp.ones(3)", "ArrayImpl float32[3]"),
        ("jnp.float32(1)", "ArrayImpl float32[]"),
        ("jnp.asarray(1.0)", "ArrayImpl ~float32[]"),
        ("jnp.full(3, 2)", "ArrayImpl ~int32[3]"),
        ("jnp.ones(3, jnp.bfloat16)", "ArrayImpl bfloat16[3]"),
        ("jnp.ones((0, 2), bool)", "ArrayImpl bool[0,2]"),
        ("np.ones(3)", "ndarray float32[3]"),
        ("np.float16(1)", "float16 float16[]"),
        ("1.0", "float ~float32[]"),
    ],
)
def test_jax_sees_what_the_students_jax_saw(calls_of: Callable[[str], tuple], written: str, arrives: str) -> None:
    """Shape, dtype and weak type arrive, and whether an array is one of JAX or of NumPy."""
    (made,) = calls_of(f"e1 = [call({written})]")
    assert seen(made.args[0]) == arrives


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("e1 = 3", "`e1` should be a list of calls."),
        ("e1 = call(1)", "`e1` should be a list of calls."),
        ("e1 = [call(1), jnp.ones(3)]", "Call 2 of `e1` is no `call(...)`."),
        ("e1 = [call(1), None]", "Call 2 of `e1` is no `call(...)`."),
        ("e1 = [call(print)]", "Call 1 of `e1` has an argument that cannot be used."),
        ("e1 = [call(x={'a': {1, 2}})]", "Call 1 of `e1` has an argument that cannot be used."),
        ("e1 = [call(jax.random.key(0))]", "Call 1 of `e1` has an argument that cannot be used."),
        ("e1 = [call([0] * 101)]", "Call 1 of `e1` has more arguments than anyone can look at."),
        ("e1 = [call(np.ones(100_001))]", "An array has 100001 elements; 100000 are more than enough to show it."),
        ("e1 = [call([0] * 90)] * 12", "`e1` has more calls than anyone can look at."),
        ("e1 = [call({1: 2.0, 'b': 3.0})]", "Call 1 of `e1` has a dictionary whose keys have no order."),
    ],
)
def test_no_calls_are_explained(calls_of: Callable[[str], tuple], line: str, sentence: str) -> None:
    """What is no list of calls with plain arguments is a fault of the student, and it is said which call it is."""
    with pytest.raises(StudentFault) as caught:
        calls_of(line)
    assert caught.value.message == sentence


@pytest.mark.parametrize("line", ["e1 = None", "e1 = ...", "e1 = [None, None]", "e2 = 1"])
def test_unanswered_is_told_apart(calls_of: Callable[[str], tuple], line: str) -> None:
    """A placeholder is not answered yet, and a missing name is undefined."""
    with pytest.raises(RaisedFault) as caught:
        calls_of(line)
    assert caught.value.reason == ("undefined" if line.startswith("e2") else "unanswered")


def test_entries_of_a_list_are_functions(student_of: Callable[[str], Student]) -> None:
    """A function in a list is called by its place, and what is not there is undefined."""
    student = student_of("functions = [lambda x: x + 1, 5]")
    assert student.function("functions[0]")(2) == 3
    for name, reason in [("functions[1]", "uncallable"), ("functions[2]", "undefined"), ("others[0]", "undefined")]:
        with pytest.raises(RaisedFault) as caught:
            student.function(name)
        assert caught.value.reason == reason


def test_jitted_anew_shares_the_programs_of_one_object(student_of: Callable[[str], Student]) -> None:
    """Each call goes through a new `jax.jit`, so what compiles depends on whether JAX has met the function object."""
    student = student_of(
        """
        def double(x):
            return x * 2
        same, new = [double, double], [lambda x: x * 2, lambda x: x * 2]
        """
    )
    counts = {}
    for name in ("same", "new"):
        functions = [student.function(f"{name}[{place}]").jitted_anew for place in range(2)]
        evidence = functions[0].export(f32)
        with student.count_compiles(evidence=evidence, fresh=True) as compiles:
            for function in functions:
                function(1.0)
        counts[name] = compiles()
    assert counts == {"same": 1, "new": 2}
