"""The reference of `jit_pitfalls` runs the very code of the notebook, and the facts that the lesson teaches hold."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import ModuleType

import jax
import jax.numpy as jnp
import nbformat
import numpy as np
import pytest

from autograder import count_compiles, show_program
from autograder.suite.setting import Setting

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """The reference, loaded as a suite loads it."""
    return Setting(links=None).reference(ROOT / "tests" / "jit_pitfalls")


@pytest.fixture(scope="module")
def cells() -> dict[str, str]:
    """The cells of the notebook by id."""
    notebook = nbformat.read(ROOT / "source/jit_pitfalls/jit_pitfalls.ipynb", as_version=4)
    return {cell.id: cell.source for cell in notebook.cells}


def test_predicted_code_is_that_of_the_notebook(reference: ModuleType, cells: dict[str, str]) -> None:
    """What is measured is, to the letter, what the notebook asks about."""
    assert f"```python\n{reference.STALE}```" in cells["statement_stale"]
    assert reference.CASES.strip() == cells["cases"]


def test_words_are_those_of_the_notebook(reference: ModuleType, cells: dict[str, str]) -> None:
    """Every word of the closed list stands in the text of the task, and every truth is among them."""
    text = cells["statement_outcomes"] + cells["statement_words"]
    assert all(f"`{word}`" in text or f'`"{word}"`' in text for word in reference.WORDS)
    assert set(reference.OUTCOMES_TRUTH) <= set(reference.WORDS)


def test_course_facts_hold(reference: ModuleType) -> None:
    """On every JAX that is supported, old and new values live side by side, and each misuse has its own class."""
    assert reference.STALE_TRUTH == (2, 2, 30, 14, 30, 300, 200, 200)
    assert reference.OUTCOMES_TRUTH == (
        "TracerBoolConversionError",
        "no error",
        "TracerArrayConversionError",
        "TracerIntegerConversionError",
        "ConcretizationTypeError",
        "UnexpectedTracerError",
        "ValueError",
        "RuntimeError",
        "no error",
        "ValueError",
    )


def test_errors_have_a_common_base() -> None:
    """The errors of a tracer without a value are all `JAXTypeError`, and so `TypeError`."""
    names = ("TracerBoolConversion", "TracerIntegerConversion", "TracerArrayConversion", "Concretization")
    classes = [getattr(jax.errors, f"{name}{'Type' if name == 'Concretization' else ''}Error") for name in names]
    assert all(issubclass(one, jax.errors.JAXTypeError) and issubclass(one, TypeError) for one in classes)
    assert issubclass(jax.errors.TracerBoolConversionError, jax.errors.ConcretizationTypeError)


def test_seven_lengths_compile_three_programs(reference: ModuleType) -> None:
    """The model answer compiles a program for each of three buckets, the plain mean one for each of seven lengths."""
    samples = [np.ones(length, np.float32) for length in (3, 5, 8, 9, 16, 17, 40)]
    jax.clear_caches()
    with count_compiles() as compiles:
        for sample in samples:
            reference.mean_of(sample)
    assert compiles() == 3
    with count_compiles() as compiles:
        for sample in samples:
            jax.jit(jnp.mean)(sample)
    assert compiles() == 7


def test_static_settings_by_value_and_by_identity(reference: ModuleType) -> None:
    """A frozen dataclass hits the cache; an object that is hashed by identity never does."""

    class Plain:
        steps, rate = 3, 0.5

    for make, expected in ((partial(reference.Settings, 3, 0.5), 1), (Plain, 4)):
        jax.clear_caches()
        with count_compiles(reference.simulate) as compiles:
            for _ in range(4):
                reference.simulate(0.0, make())
        assert compiles() == expected


def test_a_closure_is_built_in() -> None:
    """An array of the closure is a constant of the program: its text grows with the array, and no argument takes it."""
    table = jax.random.normal(jax.random.key(0), (50, 50))
    inside = show_program(lambda x: table @ x, table[0])
    given = show_program(lambda table, x: table @ x, table, table[0])
    assert [*inside.takes] == ["x"]
    assert len(inside.stablehlo) - len(given.stablehlo) > table.nbytes
