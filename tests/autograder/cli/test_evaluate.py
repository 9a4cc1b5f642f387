"""`autograder evaluate`: any notebook, one report, nothing recorded."""

from pathlib import Path

import pytest

from autograder.cli import main
from autograder.cli.ending import Exit
from autograder.course.golden import load_case, notebook_bytes
from autograder.course.layout import Course
from autograder.report import UNSANDBOXED, plain
from autograder.serial import from_json

ROOT = Path(__file__).parents[3]


def _notebook(folder: Path, case: str) -> Path:
    """Writes a golden submission of newton_sqrt, under a name of its own."""
    course = Course(ROOT)
    golden = load_case(ROOT / "tests" / "newton_sqrt" / "submissions" / case)
    path = folder / "my work [final].ipynb"
    path.write_bytes(notebook_bytes(golden, course.assignment("newton_sqrt").release))
    return path


@pytest.mark.box
def test_report_and_json_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report is that of the evaluation that `--json` prints, byte for byte, and nothing is written anywhere."""
    notebook = _notebook(tmp_path, "right_infinite_change")
    assert main(["--course", str(ROOT), "evaluate", "newton_sqrt", str(notebook)]) == Exit.DONE
    report = capsys.readouterr().out
    assert main(["--course", str(ROOT), "evaluate", "newton_sqrt", str(notebook), "--json"]) == Exit.DONE
    evaluation = from_json(capsys.readouterr().out)
    assert report.rstrip("\n") == plain(evaluation)
    assert evaluation.score == evaluation.max_score
    assert [*tmp_path.iterdir()] == [notebook]


@pytest.mark.box
def test_without_a_sandbox_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--unsafe-no-sandbox` grades all the same, and says in the result that nothing was protected."""
    notebook = _notebook(tmp_path, "right_infinite_change")
    arguments = ["--course", str(ROOT), "--unsafe-no-sandbox", "evaluate", "newton_sqrt", str(notebook)]
    assert main(arguments) == Exit.DONE
    report = capsys.readouterr().out
    assert UNSANDBOXED in " ".join(report.split())
    assert "sandbox: none" in report


def test_what_is_no_notebook_waits_for_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is no notebook, here by a link, has no points yet, says why, and the exit code asks for a person."""
    link = tmp_path / "link.ipynb"
    link.symlink_to(_notebook(tmp_path, "broken_no_notebook"))
    assert main(["--course", str(ROOT), "evaluate", "newton_sqrt", str(link)]) == Exit.PERSON
    report = capsys.readouterr().out
    assert report.startswith("newton_sqrt: not gradable, - of 10 points\n")
    assert "no notebook" in report
