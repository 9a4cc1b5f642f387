"""The reference of `recompile_table` measures what its rows compile, and its public checks tell what is missing."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import nbformat
import numpy as np
import pytest

from autograder import call, count_compiles
from autograder.faults import StudentFault
from autograder.selfcheck import public_check
from autograder.suite.setting import Setting

FOLDER = Path(__file__).parents[2] / "recompile_table"
SOURCE = FOLDER.parents[1] / "source" / "recompile_table"
FACTS = {"E1": 3, "E2": 3, "E3": 2, "E4": 3, "E5": 4, "E6": 3, "E7": 4, "E8": 2}


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """The reference, loaded as a suite loads it."""
    return Setting(links=None).reference(FOLDER)


@pytest.fixture(scope="module")
def cells() -> dict[str, str]:
    """The text of the notebook's locked cells, by their grade_id."""
    notebook = nbformat.read(SOURCE / "recompile_table.ipynb", as_version=4)
    found = ((cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source) for cell in notebook.cells)
    return {grade_id: text for grade_id, text in found if grade_id}


def test_functions_are_those_of_the_notebook(reference: ModuleType, cells: dict[str, str]) -> None:
    """What is measured are the functions that the students see."""
    assert cells["functions_of_the_table"] == reference.DEFINITIONS


def test_rows_are_those_of_the_notebook(reference: ModuleType, cells: dict[str, str]) -> None:
    """What is measured are the lines of the table that the students see, in their order."""
    rows = [line.split(" | ") for line in cells["statement_table"].splitlines() if line.startswith("| E")]
    shown = {row.removeprefix("| "): lines.removesuffix(" |").split("<br>") for row, _, lines in rows}
    assert shown == {row: [f"`{line}`" for line in lines] for row, lines in reference.ROWS.items()}


def test_course_facts_hold(reference: ModuleType) -> None:
    """On every JAX that is supported, the rows take these numbers of programs, and the old global lives on."""
    assert reference.COUNTS == FACTS
    assert reference.VALUES == (1.0, 1.0, 10.0, 1.0)


@pytest.mark.parametrize("row", FACTS)
def test_measurement_is_that_of_a_plain_notebook(reference: ModuleType, row: str) -> None:
    """What is measured is what a student sees who runs the lines and counts the programs of the functions by name."""
    namespace = reference.definitions()
    with count_compiles() as compiles:
        exec("\n".join(reference.ROWS[row]), namespace)
    names = {"scale", "reduce", "total", "shift", "add_one", "<lambda>"}
    assert sum(event.function in names for event in compiles.events) == reference.COUNTS[row]


def test_measurement_begins_anew(reference: ModuleType) -> None:
    """Measuring twice gives the same, whatever the grader's environment says to JAX."""
    with jax.disable_jit(), jax.enable_x64(True):
        again = Setting(links=None).reference(FOLDER)
    assert (again.COUNTS, again.VALUES) == (reference.COUNTS, reference.VALUES)


def test_measurement_disturbs_nobody(reference: ModuleType) -> None:
    """Programs that were compiled before stay compiled."""
    double = jax.jit(lambda x: x * 2)
    three = np.ones(3, np.float32)
    double(three)
    reference.measure(reference.ROWS["E7"])
    reference.told("scale", [call(1.0), call(2.0)], name="e1")
    with count_compiles() as compiles:
        double(three)
    assert compiles() == 0


def test_experiment_is_measured_from_an_empty_cache(reference: ModuleType) -> None:
    """An experiment compiles each time that it is made, and its differences are told for each pair of calls."""
    calls = [call(np.ones(3)), call(np.ones(4)), call(np.ones(3, np.int32))]
    for _ in range(2):
        told = reference.told("scale", calls, name="e1")
        assert told.compiled == (True, True, True)
        assert (told.differences(0, 1), told.differences(1, 2)) == ({"shape"}, {"shape", "dtype"})


@pytest.mark.parametrize(
    ("function", "made"),
    [
        ("scale", call()),
        ("scale", call("three")),
        ("scale", call(1.0, speed=2.0)),
        ("scale", call(np.ones(3), np.ones(4))),
        ("reduce", call(np.ones(3), ["sum"])),
        ("total", call({"a": 1, 2: 3})),
        ("scale", call({})),
    ],
)
def test_what_a_function_cannot_take_is_the_students(reference: ModuleType, function: str, made: Any) -> None:
    """An experiment whose calls raise is a fault of the student, with advice to make the calls."""
    with pytest.raises(StudentFault, match=rf"none that `{function}` can take") as caught:
        reference.told(function, [made], name="e1")
    assert f"`explain_recompile({function}, *e1)`" in caught.value.remedy


X = jnp.ones(3)
EXPERIMENTS: dict[str, Any] = {
    "e1": [call(X), call(jnp.ones(4))],
    "e2": [call(X), call(jnp.arange(3))],
    "e2_truncated": [call(X), call(np.ones(3))],
    "e3": [call(1), call(jnp.int32(1))],
    "e4": [call(X, "sum"), call(X, "max"), call(X, "max")],
    "e5_keys": [call({"a": X}), call({"a": X, "b": X})],
    "e5_kinds": [call([X]), call((X,))],
    "e6": [call(X), call(X, 2.0), call(X, factor=2.0)],
}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({}, "arguments: all passed."),
        ({"e1": None}, "`e1` is not answered yet."),
        ({"e1": [call(X)]}, "`e1` has 1 calls; 2 are needed."),
        ({"e1": [call(X), call(X)]}, "`e1` does not compile as it should."),
        ({"e1": [call(X), call(jnp.arange(4))]}, "Call 2 of `e1` should be told from call 1 by shape."),
        ({"e4": [call(X), call(X, "max"), call(X)]}, "Call 2 of `e4` should be told from call 1 by static value."),
    ],
)
def test_public_checks_make_the_experiments(changed: dict[str, Any], says: str) -> None:
    """The public check says which experiment does not show its trigger, with the table of `explain_recompile`."""
    text = public_check("arguments", folder=SOURCE / "checks", namespace=EXPERIMENTS | changed).as_text()
    assert says in text
    assert ("(against call 1)" in text) == ("should be told" in says)


@pytest.mark.parametrize(
    ("namespace", "says"),
    [
        ({"predictions": [3] * 8, "added": [1.0] * 4}, "predictions: all passed."),
        ({"predictions": [None] * 8, "added": [None] * 4}, "`predictions` is not answered yet."),
        ({"predictions": [3] * 7, "added": [1.0] * 4}, "`predictions` has 7 entries; 8 were expected."),
        ({"predictions": [True] + [3] * 7, "added": [1] * 4}, "The prediction for row E1 is a truth value"),
        ({"predictions": [3] * 8, "added": [1, None, 2, 3]}, "The number that call 2 adds is not filled in yet."),
    ],
)
def test_public_check_of_predictions_looks_at_the_form(namespace: dict[str, Any], says: str) -> None:
    """The public check explains the form of the predictions, and says nothing of whether they are right."""
    assert says in public_check("predictions", folder=SOURCE / "checks", namespace=namespace).as_text()


ANSWER = """
import jax
def double(x):
    return 2 * x
new_functions = [lambda x: 2 * x, lambda x: 2 * x, lambda x: 2 * x]
same_function = [double] * 3
offset = 1.0
@jax.jit
def shifted(x):
    return x + offset
def set_offset(value):
    global offset
    offset = value
"""


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("", "functions: all passed."),
        ("new_functions = same_function", "`new_functions`: three calls compiled 1 programs."),
        ("same_function = new_functions", "`same_function`: three calls compiled 3 programs."),
        ("shifted = shifted.__wrapped__", "The sum with the old offset"),
        ("same_function = [abs] * 3", "`same_function[0]`"),
    ],
)
def test_public_check_of_functions_counts(more: str, says: str) -> None:
    """The public check counts and calls the functions, and passes a second time although it changed the global."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(ANSWER + more, namespace)
    for _ in range(2):
        assert says in public_check("functions", folder=SOURCE / "checks", namespace=namespace).as_text()
