"""The lab's facts hold on this JAX, its oracles are right, and no clock of a noisy machine decides a mark."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from autograder.faults import CourseFault
from autograder.records import Outcome, TestResult
from autograder.suite.asking import LinkPair
from autograder.suite.run import run_suite
from autograder.suite.setting import Setting
from autograder.tools.timing import Timing

FOLDER = Path(__file__).parents[2] / "hands_on_jit"
SOURCE = FOLDER.parents[1] / "source" / "hands_on_jit"
Times = tuple[float, float]


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """The reference, loaded as a suite loads it."""
    return Setting(links=None).reference(FOLDER)


@pytest.fixture
def judged() -> Callable[..., dict[str, TestResult]]:
    """Judges a `measure` that gives these (mean, minimum) of eager and jitted calls, one pair a call, then the last."""
    from autograder.agent.inprocess import InProcessLink
    from autograder.agent.replay import ReplayAgent
    from autograder.agent.student import StudentAgent

    def judge(*pairs: tuple[Times, Times]) -> dict[str, TestResult]:
        left = [pairs[0]] * 2 + list(pairs)  # the form is looked at first, by two calls

        def measure(x: Any, repeat: int) -> dict[str, Timing]:
            eager, jit = left.pop(0) if len(left) > 1 else left[0]
            return {name: Timing(mean, 0.0, least, repeat) for name, (mean, least) in (("eager", eager), ("jit", jit))}

        agent = StudentAgent({"measure": measure})
        try:
            links = LinkPair(InProcessLink(agent), InProcessLink(ReplayAgent()))
            results = run_suite(FOLDER, links, grade_ids=["timings"]).results["timings"]
        finally:
            agent.close()
        return {result.name: result for result in results}

    return judge


def test_facts_of_the_course_hold(reference: ModuleType) -> None:
    """On every JAX that is supported, the errors and the numbers of programs are those that the chapter names."""
    assert reference.conditional_error == "TracerBoolConversionError"
    assert reference.rounds_error == "TracerIntegerConversionError"
    assert (reference.static_programs, reference.fori_programs) == (3, 1)
    assert reference.belongs_to("TracerBoolConversionError", "ConcretizationTypeError")
    assert all(
        reference.belongs_to(one, "JAXTypeError") for one in (reference.conditional_error, reference.rounds_error)
    )
    assert not reference.belongs_to("TracerBoolConversionError", "TracerIntegerConversionError")


def test_function_that_works_is_no_example(reference: ModuleType) -> None:
    """A function that a JAX can trace costs nobody a mark."""
    with pytest.raises(CourseFault, match="works under"):
        reference.error_of(lambda x: x, 1.0)


def test_oracles_agree_with_the_examples(reference: ModuleType) -> None:
    """The oracles give what the notebook says."""
    assert reference.heavy([[1, 0.5], [0.5, 2], [0.25, 1]]) == pytest.approx(-1.3943, abs=5e-5)
    assert reference.heavy(np.zeros((2, 1))) == pytest.approx(4 * np.log(1e-6))
    assert (reference.conditional([1, 2, 3], 5), reference.conditional([1, 2, 3], 10)) == (28, 7)
    assert list(reference.applied([0, 10], 2)) == pytest.approx([1.05, 13.15])
    assert list(reference.applied([0, 10], 0)) == [0, 10]


def test_given_functions_are_those_of_the_reference(reference: ModuleType) -> None:
    """What the notebook gives to be repaired does what the reference runs."""
    cells = json.loads((SOURCE / "hands_on_jit.ipynb").read_text(encoding="utf-8"))["cells"]
    code = {cell["id"]: "".join(cell["source"]) for cell in cells}
    given: dict[str, Any] = {"jnp": reference.jnp, "print": lambda *anything: None}
    exec(code["conditional_python"] + "\n" + code["apply_n_times"], given)
    x = np.array([1.0, 2.0, 3.0], np.float32)
    for threshold in (5.0, 6.0, 10.0):
        assert given["conditional_python"](x, threshold) == reference.conditional_python(x, threshold)
    assert np.array_equal(given["apply_n_times"](x, 3), reference.apply_n_times(x, 3))
    assert reference.error_of(given["conditional_python"], x, 5.0) == reference.conditional_error
    assert reference.error_of(given["apply_n_times"], x, 3) == reference.rounds_error
    assert f"n = {', '.join(map(str, reference.ROUNDS))}" in code["statement_counts"]


FAST, SLOW = (1.1e-5, 1e-5), (1.05e-4, 1e-4)
NOISY = (9e-4, 1e-4)


@pytest.mark.parametrize(
    "pairs",
    [
        pytest.param([(SLOW, FAST)], id="as it should be"),
        pytest.param([(FAST, FAST)], id="no difference"),
        pytest.param([(FAST, (2e-5, 1.9e-5))], id="a little the other way"),
        pytest.param([(FAST, NOISY)], id="a noisy machine"),
        pytest.param([(NOISY, (1e-3, 9e-4))], id="both noisy"),
        pytest.param([(FAST, SLOW), (SLOW, FAST)], id="right at the second time"),
        pytest.param([(FAST, SLOW), (FAST, SLOW), (SLOW, FAST)], id="right at the third time"),
    ],
)
def test_times_decide_nothing(judged: Callable[..., dict[str, TestResult]], pairs: list[tuple[Times, Times]]) -> None:
    """Slow, equal, noisy or unlucky times cost no mark: a ratio is measured again before it fails."""
    assert {result.outcome for result in judged(*pairs).values()} == {Outcome.PASSED}


def test_swapped_measurements_are_found(judged: Callable[..., dict[str, TestResult]]) -> None:
    """Only a ratio that is clearly the wrong way round, three times on a quiet machine, fails."""
    results = judged((FAST, SLOW))
    assert results["test_form"].outcome is Outcome.PASSED
    assert results["test_which_is_which"].outcome is Outcome.FAILED


def test_package_does_not_import_matplotlib() -> None:
    """Reading a chart needs no matplotlib where no notebook has imported it."""
    import subprocess

    code = "import sys, autograder.agent.student, autograder.suite.chart; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
