"""Public checks in a live notebook: a clear result, hints, and never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import autograder
from autograder.records import Outcome, TestResult
from autograder.selfcheck import Report, public_check, report_on

CHECKS = '''
    import pytest
    from autograder.suite import assert_close, f32


    @pytest.mark.hint("Multiply by two.")
    def test_double(student):
        """It doubles."""
        assert_close(student.double.export(f32, returns=f32)(3.0), 6.0, what="the double of 3")


    def test_once(student):
        """It compiles once."""
        student.double.jitted.assert_compiles_once([(f32(1),), (f32(2),)])
'''

PASSED = TestResult("test_a", "It is right.", Outcome.PASSED, 1.0)
FAILED = TestResult("test_b", "It is <fast>.", Outcome.FAILED, 1.0, "Too slow:\n<b>1 & 2</b>", "Try <i>jit</i>.")
OPEN = TestResult("test_c", "It is short.", Outcome.FAILED, 1.0, "`double` is not answered yet.")


@pytest.fixture
def checks(tmp_path: Path) -> Path:
    """A folder of public checks with one file."""
    folder = tmp_path / "checks"
    folder.mkdir()
    (folder / "test_numerics.py").write_text(dedent(CHECKS), encoding="utf-8")
    return folder


@pytest.fixture
def show(checks: Path) -> Callable[..., str]:
    """Runs the public check of a cell's source, and returns the text that is shown."""

    def go(source: str, grade_id: Any = "numerics") -> str:
        namespace: dict[str, Any] = {}
        exec(source, namespace)
        return public_check(grade_id, folder=checks, namespace=namespace).as_text()

    return go


def test_right_answer(show: Callable[..., str]) -> None:
    """A right answer reads a line for every test, all passed."""
    assert show("def double(x): return x + x") == "numerics: all passed.\n✓ It doubles.\n✓ It compiles once."


def test_wrong_answer(show: Callable[..., str]) -> None:
    """A wrong answer reads which property fails and a hint, beside what passes."""
    assert show("def double(x): return 3 * x") == (
        "numerics: 1 of 2 passed.\n"
        "✗ It doubles.\n"
        "    The double of 3 is off by a relative error of about 1e+00 (allowed: 1e-05).\n"
        "    Hint: Multiply by two.\n"
        "✓ It compiles once."
    )


def test_unanswered(show: Callable[..., str]) -> None:
    """An answer that is not written yet is said to be so, in one line."""
    assert show("def double(x): raise NotImplementedError") == "numerics: `double` is not answered yet."


def test_undefined(show: Callable[..., str]) -> None:
    """What every test would say is said once."""
    assert show("") == (
        "numerics: 0 of 2 passed. `double` is not defined. "
        "Hint: Run the cell that defines it, and keep the name that the task gives."
    )


@pytest.mark.parametrize("grade_id", ["numbers", "../checks/test_numerics", "", 3, None])
def test_unknown_check(show: Callable[..., str], grade_id: Any) -> None:
    """A name that is no check is answered with the names of those that there are."""
    assert show("", grade_id) == f"There is no public check {grade_id!r} here. There are: numerics."


def test_no_folder(tmp_path: Path) -> None:
    """Without a folder of checks, as where the notebook is graded, there is a sentence and nothing else."""
    report = public_check("numerics", folder=tmp_path / "checks", namespace={})
    assert report.as_text() == (
        "There is no public check 'numerics' here. There is no folder `checks` beside this notebook: "
        "the course gave it out with it, so copy it here."
    )


def test_check_shows_text_outside_of_ipython(
    checks: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a plain script `check` prints, and returns nothing."""
    monkeypatch.chdir(checks.parent)
    monkeypatch.setitem(sys.modules, "IPython", None)
    assert autograder.check("nothing") is None  # type: ignore[func-returns-value]
    assert capsys.readouterr().out == "There is no public check 'nothing' here. There are: numerics.\n"


def test_error_of_the_check_is_no_traceback(
    checks: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever goes wrong inside, a student's cell ends with a sentence."""

    def broken(*args: Any, **named: Any) -> Any:
        raise OSError("no disk")

    monkeypatch.chdir(checks.parent)
    monkeypatch.setattr("autograder.suite.run.run_suite", broken)
    autograder.check("numerics")
    assert "could not be run (OSError). This is no fault of yours." in capsys.readouterr().out


def test_html_is_escaped() -> None:
    """Nothing that a test or a student's code says becomes markup."""
    page = report_on("c<i>", [PASSED, FAILED]).as_html()
    assert "&lt;b&gt;1 &amp; 2&lt;/b&gt;" in page
    assert not any(tag in page for tag in ("<b>", "<i>", "<fast>"))


def test_html_and_text_say_the_same() -> None:
    """Every sentence of the text is in the page."""
    report = report_on("c", [PASSED, TestResult("t", "It ends.", Outcome.FAILED, 1.0, "It runs on.", "Count.")])
    for sentence in ("c: 1 of 2 passed.", "✓ It is right.", "✗ It ends.", "It runs on.", "Hint: Count."):
        assert sentence in report.as_text()
        assert sentence in report.as_html()


@pytest.mark.parametrize(
    ("tests", "headline"),
    [
        ([PASSED], "c: all passed."),
        ([OPEN, OPEN], "c:"),
        ([OPEN, FAILED], "c:"),
        ([PASSED, OPEN], "c: 1 of 2 passed."),
        ([FAILED, FAILED], "c: 0 of 2 passed."),
    ],
)
def test_headline(tests: list[TestResult], headline: str) -> None:
    """The headline counts, except where there is nothing to count yet."""
    assert report_on("c", tests).headline == headline


def test_report_is_said_in_one_line_without_tests() -> None:
    """A report without lines is its headline and its note."""
    assert Report("c:", note="Not yet.").as_text() == "c: Not yet."


@pytest.mark.box
def test_in_a_live_notebook(checks: Path) -> None:
    """`check` works in a notebook that is executed from top to bottom, before and after the answer is written."""
    ask = "from autograder import check\ncheck('numerics')"
    sources = ["def double(x):\n    raise NotImplementedError", ask, "def double(x):\n    return 2 * x", ask]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])  # type: ignore[no-untyped-call]
    NotebookClient(notebook, resources={"metadata": {"path": str(checks.parent)}}).execute()
    shown = [cell.outputs[0].data for cell in notebook.cells[1::2]]
    assert [len(cell.outputs) for cell in notebook.cells] == [0, 1, 0, 1]
    assert shown[0]["text/plain"] == "numerics: `double` is not answered yet."
    assert shown[1]["text/plain"] == "numerics: all passed.\n✓ It doubles.\n✓ It compiles once."
    assert "✓ It doubles." in shown[1]["text/html"]
