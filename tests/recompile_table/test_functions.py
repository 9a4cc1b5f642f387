"""A new function is compiled anew, a known one is not; and a program keeps the global that it was traced with.

Counts and calls are observed in the student's kernel. Beside them stand exported programs: every function of E7
computes the same for all inputs, and the function of E8 reads its global when it is traced.
"""

from __future__ import annotations

import numpy as np
import pytest

from autograder.suite import as_entries, assert_close, f32, fail
from autograder.tools.causes import NEW_FUNCTION

COUNT = 3
INPUTS = [(np.array(values, np.float32),) for values in ([0.0, -1.0, 2.5], [7.0, 1e3, -0.125], [3.5, 0.25, -64.0])]
BEFORE, AFTER, LAST = 2.5, -40.0, 16.25
THREE, FOUR = f32([1.0, 2.0, -8.0]), f32([0.5, 1.0, 3.0, -2.0])


def functions_of(student, name):
    """Returns the functions of a list, each of which doubles its argument, with their programs."""
    as_entries(student.value(name), COUNT, name=name)
    functions = [student.function(f"{name}[{place}]") for place in range(COUNT)]
    programs = []
    for function in functions:
        if function.is_jitted:
            fail(f"`{function.name}` is jitted already; a plain function is needed, of which `jax.jit` is made.")
        programs.append(function.export(f32[3], returns=f32[3]))
        for (given,), result in zip(INPUTS, programs[-1].run(INPUTS), strict=True):
            assert_close(result, 2.0 * given, what=f"the result of `{function.name}`, which should double x,")
    return functions, tuple(programs)


def counts_of(student, name):
    """Calls each function of a list once through a new `jax.jit`, from empty caches; returns a count for each call.

    A second round has to find all programs again: whoever compiles then does so for another reason than a new object.
    """
    functions, programs = functions_of(student, name)
    student.clear_caches()
    counts = []
    for function in functions:
        with student.count_compiles(evidence=programs) as compiles:
            function.jitted_anew(THREE)
        counts.append(compiles)
    with student.count_compiles(evidence=programs) as compiles:
        for function in functions:
            function.jitted_anew(THREE)
    if compiles():
        fail(f"A function whose program is there already compiled again.\n{compiles.causes()}")
    return counts


@pytest.mark.weight(1)
@pytest.mark.hint("Write the function three times: each `lambda` and each `def` that Python runs makes a new object.")
def test_e7_new_functions(student):
    """E7: three functions that do the same, but are three objects, compile three times."""
    for number, compiles in enumerate(counts_of(student, "new_functions"), start=1):
        if compiles() != 1:
            fail(f"Each call should compile one program; call {number} compiled {compiles()}.\n{compiles.causes()}")
        if any(event.cause and not event.cause.startswith(NEW_FUNCTION) for event in compiles.events):
            fail(f"It was not the function that made JAX compile.\n{compiles.causes()}")


@pytest.mark.weight(1)
@pytest.mark.hint("Put one and the same function into the list three times.")
def test_e7_same_function(student):
    """E7: one function that is jitted three times compiles once."""
    first, *others = counts_of(student, "same_function")
    if first() != 1:
        fail(f"The first call should compile one program, and not {first()}.\n{first.causes()}")
    if again := [compiles for compiles in others if compiles()]:
        fail(f"A call after the first compiled again.\n{again[0].causes()}")


@pytest.fixture(scope="module")
def history(student):
    """Calls `shifted`, changes the global, and calls it again; gives value and count by the name of the moment.

    What is observed counts beside what is proved: fresh programs, also for a shape that was called, hold the global.
    """
    shifted, set_offset = student.shifted, student.set_offset
    if not shifted.is_jitted:
        fail("`shifted` should be jitted.")
    set_offset(BEFORE)
    program = shifted.export(f32[3], returns=f32[3])
    assert_close(program(THREE), THREE + np.float32(BEFORE), what="the sum with the offset")
    student.clear_caches()
    moments = {}

    def at(moment, given):
        with student.count_compiles(evidence=program) as compiles:
            value = shifted(given)
        moments[moment] = (value, compiles)

    at("first", THREE)
    set_offset(AFTER)
    at("same shape", THREE)
    at("new shape", FOUR)
    at("old shape again", THREE)
    set_offset(LAST)
    program = shifted.export(f32[4], returns=f32[4])
    assert_close(program(FOUR), FOUR + np.float32(LAST), what="the sum with the changed offset")
    return moments


@pytest.mark.weight(1)
@pytest.mark.hint(
    "`shifted` returns x + offset; `set_offset(value)` changes the global, so that it needs `global offset`."
)
def test_e8_global_is_read_while_tracing(history):
    """E8: the first call of `shifted` compiles one program, which adds what the global holds then."""
    value, compiles = history["first"]
    if compiles() != 1:
        fail(f"The first call of `shifted` compiled {compiles()} programs; one was expected.")
    assert_close(value, THREE + np.float32(BEFORE), what="the sum with the offset")


@pytest.mark.weight(1)
@pytest.mark.hint("Let `set_offset` change the global and nothing else: no new `jax.jit`, and no cache is cleared.")
def test_e8_changed_global_compiles_nothing(history):
    """E8: after the change the same call compiles nothing, and still adds the old value."""
    for moment in ("same shape", "old shape again"):
        value, compiles = history[moment]
        if compiles():
            fail(f"After the change the same call compiled again.\n{compiles.causes()}")
        assert_close(value, THREE + np.float32(BEFORE), what="the sum with the old offset")


@pytest.mark.weight(1)
@pytest.mark.hint("`shifted` must take any shape, and read `offset` itself, not a copy of it.")
def test_e8_new_shape_reads_the_new_value(history):
    """E8: a new shape compiles once, and adds the new value, beside the old program."""
    value, compiles = history["new shape"]
    if compiles() != 1:
        fail(f"A call with another shape compiled {compiles()} programs; one was expected.")
    assert_close(value, FOUR + np.float32(AFTER), what="the sum with the new offset")
