"""The plugin in plain pytest: a suite runs against its reference, and ordinary test files notice nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

REFERENCE = """
import jax

def oracle(x):
    return 2.0 * x

@jax.jit
def double(x):
    return 2 * x
"""

SUITE = '''
import pytest
from autograder.suite import assert_close, f32


@pytest.fixture(scope="module")
def program(student):
    return student.double.export(f32, returns=f32)


@pytest.mark.weight(2)
@pytest.mark.hint("Multiply.")
@pytest.mark.timeout(5)
@pytest.mark.parametrize("x", [1.0, 2.5])
def test_numbers(program, reference, x):
    """It doubles."""
    assert_close(program(x), reference.oracle(x))


def test_compiles(student):
    """It compiles once."""
    student.double.assert_compiles_once([(f32(1),), (f32(2),)])
'''


def test_suite_runs_against_its_reference(pytester: pytest.Pytester) -> None:
    """Plain pytest runs a suite on the model answer in `reference.py`, in process."""
    pytester.makepyfile(reference=REFERENCE, test_numerics=SUITE)
    result = pytester.runpytest_inprocess("--strict-markers", "-p", "no:cacheprovider", "-W", "error")
    result.assert_outcomes(passed=3)


def test_wrong_reference_fails_in_its_own_words(pytester: pytest.Pytester) -> None:
    """An author reads the same sentence that a student would."""
    pytester.makepyfile(reference=REFERENCE.replace("2 * x", "3 * x"), test_numerics=SUITE)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*The result is off by a relative error of about 1e+00*"])


def test_two_suites_have_two_references(pytester: pytest.Pytester) -> None:
    """Suites in two folders with files of equal names each get the reference beside them."""
    for name, number in (("one", 1), ("two", 2)):
        folder = pytester.mkdir(name)
        (folder / "reference.py").write_text(f"NUMBER = {number}\n", encoding="utf-8")
        (folder / "test_it.py").write_text(
            f"def test_it(reference):\n    assert reference.NUMBER == {number}\n", encoding="utf-8"
        )
    result = pytester.runpytest_inprocess("--import-mode=importlib", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)


def test_reference_is_under_no_name_that_others_import(pytester: pytest.Pytester) -> None:
    """The reference is not in `sys.modules`, so that no `import reference` can find it, or another in its place."""
    pytester.makepyfile(
        reference="NUMBER = 1\n",
        test_it="import sys\ndef test_it(reference):\n    assert reference not in sys.modules.values()\n",
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_suite_without_a_reference_is_told_so(pytester: pytest.Pytester) -> None:
    """A suite that asks for the student where there is neither a link nor a reference is told what to write."""
    pytester.makepyfile("def test_it(student): pass\n")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no `reference.py` beside the suite*"])


def test_broken_reference_is_a_fault_of_the_course(pytester: pytest.Pytester) -> None:
    """A reference that cannot be loaded is told as such, with its error for the author."""
    pytester.makepyfile(reference="1 / 0\n", test_it="def test_it(reference): pass\n")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["*The reference cannot be loaded: ZeroDivisionError*"])


def test_marks_are_listed(pytester: pytest.Pytester) -> None:
    """`pytest --markers` explains the marks of suites."""
    result = pytester.runpytest_inprocess("--markers")
    result.stdout.fnmatch_lines(
        ["@pytest.mark.weight(x): *", "@pytest.mark.hint(text): *", "@pytest.mark.timeout(s): *"]
    )


def test_plugin_imports_nothing_heavy() -> None:
    """An ordinary test run pays for neither NumPy nor JAX."""
    heavy = "print([m for m in ('jax', 'numpy', 'ml_dtypes', 'autograder.agent.student') if m in sys.modules])"
    code = f"import sys, autograder.suite.plugin; {heavy}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_grader_runs_suites_without_jax() -> None:
    """What runs a hidden suite imports no JAX by itself: a reference may, a student's program never needs it here."""
    code = "import sys, autograder.suite.run, autograder.suite.student; print('jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
