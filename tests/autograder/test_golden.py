"""Golden submissions are read from their folders, turned into notebooks and compared with what came of them."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from autograder.course.golden import Case, Kind, differences, load_case, load_cases, notebook_bytes
from autograder.faults import CourseFault
from autograder.records import CheckResult, Outcome, TestResult

EXPECT = """
kind = "wrong"
why = "It answers only half."
[checks]
numerics = "passed"
lowering = 0.5
[tests]
lowering = ["test_loops"]
"""


def make_case(folder: Path, *, solution: str = "# %% f\nf = 1\n", expect: str = EXPECT) -> Path:
    """Writes a case and returns its folder."""
    folder.mkdir(parents=True)
    (folder / "solution.py").write_text(solution, encoding="utf-8")
    (folder / "expect.toml").write_text(expect, encoding="utf-8")
    return folder


def make_notebook(path: Path) -> Path:
    """Writes a notebook with a lesson, an answer cell `f` and a grade cell `numerics`."""
    answer = nbformat.v4.new_code_cell("raise NotImplementedError", metadata={"nbgrader": {"grade_id": "f"}})
    grade = nbformat.v4.new_code_cell('check("numerics")', metadata={"nbgrader": {"grade_id": "numerics"}})
    lesson = nbformat.v4.new_markdown_cell("A lesson.")
    nbformat.write(nbformat.v4.new_notebook(cells=[lesson, answer, grade]), path)
    return path


def sources(case: Case, notebook: Path) -> list[str]:
    """Returns the sources of the cells of the case's notebook."""
    document = nbformat.reads(notebook_bytes(case, notebook).decode(), as_version=4)
    nbformat.validate(document)
    return [cell.source for cell in document.cells]


def result(grade_id: str, outcome: Outcome, points: float | None, *failing: str) -> CheckResult:
    """Returns a check of four points in which the named tests failed and one passed."""
    tests = [TestResult(name, "", Outcome.FAILED, 1.0) for name in failing]
    tests.append(TestResult("test_other", "", Outcome.PASSED, 1.0))
    return CheckResult(grade_id, outcome, points, 4.0, tuple(tests))


def test_case_is_read(tmp_path: Path) -> None:
    """A case carries its kind, its sentence and an expectation for every check."""
    case = load_case(make_case(tmp_path / "half"))
    assert (case.name, case.kind, case.why) == ("half", Kind.WRONG, "It answers only half.")
    assert case.expected["numerics"].outcome is Outcome.PASSED
    assert case.expected["lowering"].outcome is Outcome.PARTIAL
    assert case.expected["lowering"].failing == {"test_loops"}


def test_cases_come_in_order(tmp_path: Path) -> None:
    """All cases of a folder are read in the order of their names; folders that start with an underscore are none."""
    for name in ("b", "a", "_draft", ".cache"):
        make_case(tmp_path / name)
    assert [case.name for case in load_cases(tmp_path)] == ["a", "b"]


def test_no_case_is_a_fault(tmp_path: Path) -> None:
    """A course without golden submissions is at fault, since nothing would be tested."""
    with pytest.raises(CourseFault):
        load_cases(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"wrong"', '"odd"', "kind"),
        ('"It answers only half."', '" "', "why"),
        ('"passed"', '"maybe"', "maybe"),
        ("0.5", "1.5", "1.5"),
        ("[tests]\nlowering", "[tests]\nlowerings", "lowerings"),
        ("why", "whys", "whys"),
        ("kind =", "kind", "expect.toml"),
    ],
)
def test_malformed_expectation_is_a_fault(tmp_path: Path, old: str, new: str, says: str) -> None:
    """A mistake in an expectation is a fault of the course that names what is wrong."""
    folder = make_case(tmp_path / "case", expect=EXPECT.replace(old, new, 1))
    with pytest.raises(CourseFault, match=says):
        load_case(folder)


def test_one_kind_of_submission(tmp_path: Path) -> None:
    """A case with both a solution and a whole notebook, or with neither, is a fault of the course."""
    folder = make_case(tmp_path / "case")
    (folder / "submission.ipynb").write_text("{}")
    with pytest.raises(CourseFault, match="one of"):
        load_case(folder)
    (folder / "submission.ipynb").unlink()
    (folder / "solution.py").unlink()
    with pytest.raises(CourseFault, match="neither"):
        load_case(folder)


def test_answers_fill_their_cells(tmp_path: Path) -> None:
    """An answer replaces its cell, code before the first marker comes first, and an extra cell follows its answer."""
    solution = "import os\n\n# %% f\ndef f():\n    return 1\n\n# %% extra\nf()\n"
    case = load_case(make_case(tmp_path / "case", solution=solution))
    assert sources(case, make_notebook(tmp_path / "a.ipynb")) == [
        "import os",
        "A lesson.",
        "def f():\n    return 1",
        "f()",
        'check("numerics")',
    ]


def test_unanswered_cells_stay(tmp_path: Path) -> None:
    """A cell that the case does not answer is as it was released."""
    case = load_case(make_case(tmp_path / "case", solution="import os\n"))
    assert "raise NotImplementedError" in sources(case, make_notebook(tmp_path / "a.ipynb"))


def test_dropped_cells_are_gone(tmp_path: Path) -> None:
    """A cell that the case drops is not in the notebook."""
    expect = EXPECT.replace("[checks]", 'drop = ["numerics"]\n[checks]')
    case = load_case(make_case(tmp_path / "case", expect=expect))
    assert sources(case, make_notebook(tmp_path / "a.ipynb")) == ["A lesson.", "f = 1"]


def test_unknown_cell_is_a_fault(tmp_path: Path) -> None:
    """An answer to a cell that the notebook lacks is a fault of the course."""
    case = load_case(make_case(tmp_path / "case", solution="# %% g\ng = 1\n"))
    with pytest.raises(CourseFault, match="'g'"):
        notebook_bytes(case, make_notebook(tmp_path / "a.ipynb"))


def test_whole_submission_is_untouched(tmp_path: Path) -> None:
    """A whole submission is handed in byte by byte, whatever it holds."""
    folder = make_case(tmp_path / "case")
    (folder / "solution.py").unlink()
    (folder / "submission.ipynb").write_bytes(b"\xff no notebook")
    assert notebook_bytes(load_case(folder), tmp_path / "absent.ipynb") == b"\xff no notebook"


def test_equal_bytes(tmp_path: Path) -> None:
    """The same case gives the same bytes each time."""
    case = load_case(make_case(tmp_path / "case", solution="import os\n# %% f\nf = 2\n# %% extra\nf\n"))
    notebook = make_notebook(tmp_path / "a.ipynb")
    assert notebook_bytes(case, notebook) == notebook_bytes(case, notebook)


def test_agreement_has_no_differences(tmp_path: Path) -> None:
    """What is exactly as expected differs in nothing."""
    case = load_case(make_case(tmp_path / "case"))
    came = [result("numerics", Outcome.PASSED, 4.0), result("lowering", Outcome.PARTIAL, 2.0, "test_loops")]
    assert differences(case, came) == ()


@pytest.mark.parametrize(
    ("lowering", "says"),
    [
        (result("lowering", Outcome.FAILED, 0.0, "test_loops"), "came failed"),
        (result("lowering", Outcome.PARTIAL, 1.0, "test_loops"), "came 1.0"),
        (result("lowering", Outcome.PARTIAL, None, "test_loops"), "came None"),
        (result("lowering", Outcome.PARTIAL, 2.0, "test_loops", "test_more"), "test_more"),
        (result("compiles", Outcome.PASSED, 4.0), "no such check"),
    ],
)
def test_each_difference_is_said(tmp_path: Path, lowering: CheckResult, says: str) -> None:
    """Another outcome, other points, other failing tests and a missing check are each reported."""
    case = load_case(make_case(tmp_path / "case"))
    assert says in " ".join(differences(case, [result("numerics", Outcome.PASSED, 4.0), lowering]))
