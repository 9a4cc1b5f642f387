"""What students get, kept beside its source, is current and holds no secret."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.course.files import regular_files
from autograder.course.layout import Course
from autograder.gradebook.release import release, secrets_in_release

REPOSITORY = Path(__file__).parents[3]


@pytest.mark.parametrize("name", sorted(path.stem for path in REPOSITORY.glob("source/*/*.ipynb")))
def test_current(name: str, tmp_path: Path) -> None:
    """Releasing an assignment again gives, byte for byte, the release that is kept; run `autograder release` if not."""
    shutil.copytree(REPOSITORY / "source" / name, tmp_path / "source" / name)
    shutil.copytree(REPOSITORY / "tests" / name, tmp_path / "tests" / name)
    made = release(Course(tmp_path), name)
    assert list(secrets_in_release(made)) == []
    kept = REPOSITORY / "release" / name
    assert {file: path.read_bytes() for file, path in regular_files(kept)} == {
        file: path.read_bytes() for file, path in regular_files(made.release.parent)
    }
