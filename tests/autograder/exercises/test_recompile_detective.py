"""The reference of `recompile_detective` measures what it says, for every sequence, and leaves nothing behind."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from autograder.faults import CourseFault
from autograder.selfcheck import public_check
from autograder.suite.setting import Setting
from autograder.tools import count_compiles

FOLDER = Path(__file__).parents[2] / "recompile_detective"
CHECKS = FOLDER.parents[1] / "source" / "recompile_detective" / "checks"
SEEDS = ("anna", "bo", "3", "Zoë Ångström", "")


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """The reference, loaded as a suite loads it."""
    return Setting(links=None).reference(FOLDER)


def calls_of(reference: ModuleType, *written: tuple[str, str]) -> tuple[Any, ...]:
    """Returns calls by what is written for `x` and for `mode`."""
    return tuple(reference.Call(x, mode) for x, mode in written)


def test_calls_are_those_of_the_notebook(reference: ModuleType) -> None:
    """The calls that are measured are those that the notebook asks about."""
    notebook = (FOLDER.parents[1] / "source/recompile_detective/recompile_detective.ipynb").read_text(encoding="utf-8")
    rows = [f"| {number} | `{call}` |".replace('"', '\\"') for number, call in enumerate(reference.CALLS, start=1)]
    places = [notebook.find(row) for row in rows]
    assert -1 not in places
    assert places == sorted(places)


def test_course_facts_hold(reference: ModuleType) -> None:
    """On every JAX that is supported, all calls of the notebook compile but the second."""
    assert reference.COMPILED == (True, False, True, True, True, True, True, True)
    assert reference.REASONS[5] == reference.REASONS[6] == {"shape", "weak type"}
    assert reference.REASONS[7] == {"static value", "argument form"}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_sequence_asks_for_everything(reference: ModuleType, seed: str) -> None:
    """A sequence of a student's own is fixed by the id, has eight calls, and each reason is the only right one once."""
    calls = reference.sequence(seed)
    assert calls == reference.sequence(seed)
    assert len(calls) == len(reference.STANDARD)
    accepted = reference.accepted_reasons(calls, reference.measure(calls))
    assert {frozenset({word}) for word in reference.WORDS} <= set(accepted)


def test_sequences_differ(reference: ModuleType) -> None:
    """Two students rarely have the same calls."""
    assert len({reference.sequence(str(number)) for number in range(20)}) == 20


@pytest.mark.parametrize("seed", SEEDS)
def test_measurement_is_that_of_a_plain_notebook(reference: ModuleType, seed: str) -> None:
    """What is measured is what a student sees who writes the calls down and counts."""
    calls = reference.sequence(seed)

    @functools.partial(jax.jit, static_argnames="mode")
    def detective(x: Any, mode: str = "a") -> Any:
        return x * 2 if mode == "a" else x + 1

    seen = []
    for call in calls:
        with count_compiles("detective") as compiles:
            eval(str(call), {"detective": detective, "jnp": jnp})
        seen.append(compiles() == 1)
    assert tuple(seen) == reference.measure(calls)


def test_measurement_begins_anew(reference: ModuleType) -> None:
    """Measuring twice gives the same, whatever the grader's environment says to JAX."""
    with jax.disable_jit(), jax.enable_x64(True):
        again = Setting(links=None).reference(FOLDER)
    assert again.COMPILED == reference.COMPILED == reference.measure(reference.CALLS)
    assert again.REASONS == reference.REASONS


def test_measurement_disturbs_nobody(reference: ModuleType) -> None:
    """Programs that were compiled before stay compiled, and nobody listens any more."""
    double = jax.jit(lambda x: x * 2)
    three = jnp.ones(3)
    double(three)
    listeners = len(jax._src.monitoring.get_event_duration_listeners())
    reference.measure(reference.CALLS)
    assert len(jax._src.monitoring.get_event_duration_listeners()) == listeners
    with count_compiles() as compiles:
        double(three)
    assert compiles() == 0


@pytest.mark.parametrize(
    ("written", "accepted"),
    [
        ((("1.0", ""), ("2.5", "")), {"same signature"}),
        ((("1.0", ""), ("1", "")), {"dtype"}),
        ((("1.0", ""), ("jnp.int32(1)", "")), {"dtype", "weak type"}),
        (
            (("jnp.ones(3)", ""), ("jnp.ones(4)", ', mode="a"'), ("jnp.ones(3)", ', mode="a"')),
            {"argument form", "shape"},
        ),
        ((("jnp.ones(3)", ', mode="b"'), ("1", ""), ("jnp.ones(3)", ', mode="a"')), {"static value"}),
    ],
)
def test_nearest_signature_decides(
    reference: ModuleType, written: Sequence[tuple[str, str]], accepted: set[str]
) -> None:
    """A reason is right if it is a difference to an earlier call with the fewest differences, whichever in a tie."""
    calls = calls_of(reference, *written)
    assert reference.accepted_reasons(calls, reference.measure(calls))[-1] == accepted


@pytest.mark.parametrize(
    ("compiled", "says"), [((False, False), "cannot be counted"), ((True, True), "sees nothing new")]
)
def test_strange_measurement_is_the_courses(reference: ModuleType, compiled: Sequence[bool], says: str) -> None:
    """A count that contradicts what JAX sees costs no student a mark."""
    calls = calls_of(reference, ("1.0", ""), ("2.5", ""))
    with pytest.raises(CourseFault, match=says):
        reference.accepted_reasons(calls, compiled)


def test_another_jax_may_compile_less(reference: ModuleType) -> None:
    """Where a JAX reuses a program in spite of a difference, the reason is that the signature is the same."""
    calls = calls_of(reference, ("1.0", ""), ("1.0", ', mode="a"'))
    assert reference.accepted_reasons(calls, (True, False))[-1] == {"same signature"}


@pytest.mark.parametrize(
    ("grade_id", "namespace", "says"),
    [
        ("predictions", {"predictions": [True] * 8}, "predictions: all passed."),
        ("predictions", {"predictions": [None] * 8}, "predictions: `predictions` is not answered yet."),
        ("predictions", {"predictions": [True, None] * 4}, "The prediction for call 2 is not filled in yet."),
        ("predictions", {"predictions": [True] * 7}, "`predictions` has 7 entries; 8 were expected."),
        ("reasons", {"predictions": [True] * 8, "reasons": ["first call", *["shape"] * 7]}, "reasons: all passed."),
        (
            "reasons",
            {"predictions": [False] * 8, "reasons": ["first call", *["shape"] * 7]},
            "For call 1 the reason and the prediction contradict each other.",
        ),
        (
            "reasons",
            {"predictions": [True] * 8, "reasons": ["shape", *["dtype"] * 7]},
            '"first call" is the reason for call 1 and for no other; look at call 1.',
        ),
        ("reasons", {"predictions": [True] * 8, "reasons": ["no idea"] * 8}, "is none of the words to choose from"),
        ("reasons", {"predictions": [None] * 8, "reasons": [None] * 8}, "reasons: `reasons` is not answered yet."),
    ],
)
def test_public_checks_look_at_the_form(grade_id: str, namespace: dict[str, Any], says: str) -> None:
    """The public checks explain form and contradictions, and say of a wrong answer in the right form nothing."""
    assert says in public_check(grade_id, folder=CHECKS, namespace=namespace).as_text()


def test_public_words_are_the_hidden_ones(reference: ModuleType) -> None:
    """The public check, the notebook and the reference have the same closed list."""
    public = (CHECKS / "test_reasons.py").read_text(encoding="utf-8")
    notebook = (CHECKS.parent / "recompile_detective.ipynb").read_text(encoding="utf-8")
    assert "WORDS = ({})".format(", ".join(f'"{word}"' for word in reference.WORDS)) in public
    assert all(f'`\\"{word}\\"`' in notebook for word in reference.WORDS)
