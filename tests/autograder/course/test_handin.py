"""The notebook is found among the files that were handed in, and nothing outside of them is read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course.files import MAX_FILES, laid_over, regular_files
from autograder.course.handin import read_submission
from autograder.course.intake import intake
from autograder.course.layout import Assignment


@pytest.fixture
def answered(doubling: Assignment) -> str:
    """A notebook with one answer filled in."""
    document = json.loads(doubling.release.read_bytes())
    document["cells"][2]["source"] = "def double(x):\n    return 2 * x\n"
    return json.dumps(document)


@pytest.mark.parametrize(
    "name", ["Doubling.ipynb", "doubling (1).ipynb", "final FINAL.IPYNB", "doubling.json", "sub/x.ipynb"]
)
def test_renamed(doubling: Assignment, hand_in: Callable[..., Path], answered: str, name: str) -> None:
    """A notebook under another name is graded, and the name is listed."""
    found = read_submission(hand_in("ann", **{name: answered, "data.csv": "1,2"}), doubling, student="ann")
    assert (found.filename, found.raw) == (name, answered.encode())
    assert [repair.kind for repair in found.repairs] == ["renamed_file"]


def test_name_that_is_no_text(doubling: Assignment, hand_in: Callable[..., Path], answered: str) -> None:
    """A name with bytes that are no text is told in characters that can be written down."""
    found = read_submission(hand_in("ann", **{os.fsdecode(b"\xff.ipynb"): answered}), doubling, student="ann")
    assert [repair.message for repair in found.repairs] == ["\\udcff.ipynb was graded as doubling.ipynb."]


def test_expected_name_wins(doubling: Assignment, hand_in: Callable[..., Path], answered: str) -> None:
    """Of two answered notebooks the one with the right name is graded, and both are mentioned."""
    folder = hand_in("ann", **{"doubling.ipynb": answered, "doubling-old.ipynb": answered + " "})
    found = read_submission(folder, doubling, student="ann")
    assert found.filename == "doubling.ipynb"
    assert [repair.kind for repair in found.repairs] == ["several_notebooks"]


def test_answers_win_over_names(doubling: Assignment, hand_in: Callable[..., Path], answered: str) -> None:
    """An untouched notebook with the right name does not hide the answered one beside it."""
    folder = hand_in("ann", **{"doubling.ipynb": doubling.release.read_bytes(), "my answers.ipynb": answered})
    found = read_submission(folder, doubling, student="ann")
    assert found.filename == "my answers.ipynb"
    assert [repair.kind for repair in found.repairs] == ["renamed_file", "several_notebooks"]


@pytest.mark.parametrize("files", [{}, {"notes.txt": "I did it."}, {"photo.jpg": b"\xff\xd8"}])
def test_no_notebook(doubling: Assignment, hand_in: Callable[..., Path], files: dict[str, bytes | str]) -> None:
    """A folder without a notebook is not gradable, with a reason."""
    found = read_submission(hand_in("ann", **files), doubling, student="ann")
    assert found.raw == b""
    assert intake(found, doubling).reason.startswith("No notebook was handed in.")


def test_laid_over() -> None:
    """Of two folders' files the first's are all kept, and no name stands for a file and a folder at once."""
    own, other = Path("own"), Path("other")
    under = dict.fromkeys(("a", "b", "c/x", "c/y", "d", "e/f/x", "g"), other)
    over = dict.fromkeys(("a", "b/x", "c", "d/x/y", "e/f"), own)
    assert laid_over(over, under) == over | {"g": other}


def test_links_are_not_followed(doubling: Assignment, hand_in: Callable[..., Path], answered: str) -> None:
    """A link among the files, to a file or a folder, is as if it had not been handed in."""
    folder = hand_in("ann", **{"mine.ipynb": answered})
    (folder / "doubling.ipynb").symlink_to(doubling.source)
    (folder / "tests").symlink_to(doubling.suite)
    assert [name for name, _ in regular_files(folder)] == ["mine.ipynb"]
    assert read_submission(folder, doubling, student="ann").filename == "mine.ipynb"


def test_too_many_files(tmp_path: Path) -> None:
    """Files beyond the limit are not looked at."""
    for number in range(MAX_FILES + 5):
        (tmp_path / str(number)).touch()
    assert len(list(regular_files(tmp_path))) == MAX_FILES
