"""A submission's files are handed over as they are, bounded, without anything that they link to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.box.handover import Handover, anonymous_file, pack, unpack
from autograder.box.policy import Limits
from autograder.faults import LimitFault


def _files(folder: Path) -> dict[str, Path]:
    """Returns all that lies in a folder, links and pipes too, by name."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if not path.is_dir()}


def test_files_arrive_as_they_are(tmp_path: Path) -> None:
    """Names with spaces, brackets, accents and bytes that are no text, folders and empty files arrive unchanged."""
    names = [b"a b.py", "ünï 学 [1]+'\".csv".encode(), b"deep/er/x", b"\xff\xfe", b"empty"]
    source, target = tmp_path / "from", tmp_path / "to"
    for name in names:
        path = source / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"" if name == b"empty" else name * 3)
    target.mkdir()

    unpack(anonymous_file("files", pack(_files(source), Limits())), target)

    assert {os.fsencode(path.relative_to(target)) for path in target.rglob("*") if path.is_file()} == set(names)
    assert (target / "a b.py").read_bytes() == b"a b.pya b.pya b.py"


def test_only_regular_files_are_handed_over(tmp_path: Path) -> None:
    """Links, pipes and what is not there stay outside, and none of them blocks."""
    source, target = tmp_path / "from", tmp_path / "to"
    source.mkdir()
    target.mkdir()
    (tmp_path / "secret").write_text("expected value")
    (source / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(source / "pipe")
    (source / "kept").touch()

    unpack(anonymous_file("files", pack(_files(source) | {"gone": source / "gone"}, Limits())), target)

    assert [path.name for path in target.iterdir()] == ["kept"]


def test_large_submission_is_refused(tmp_path: Path) -> None:
    """Files that together do not fit into the scratch folder are the student's fault, said with a remedy."""
    (tmp_path / "a").write_bytes(b"x" * 600_000)
    (tmp_path / "b").write_bytes(b"x" * 600_000)

    with pytest.raises(LimitFault) as caught:
        pack(_files(tmp_path), Limits(scratch_mb=1))

    assert "1 MiB" in caught.value.message
    assert caught.value.remedy


def test_no_folder_is_no_files(tmp_path: Path) -> None:
    """A box without a submission starts in an empty folder."""
    unpack(anonymous_file("files", pack({}, Limits())), tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_handover_reads_what_it_wrote() -> None:
    """The record that the kernel reads is the one that the grader wrote."""
    handover = Handover(
        agent="module:Agent",
        namespace=True,
        connection={"key": "k", "shell_port": 1},
        sockets={1: 7},
        files=8,
        limits=Limits(cpu_s=3),
        user=1000,
        scratch=Path("/box"),
        orphan=False,
    )

    assert Handover.from_file(handover.to_file()) == handover
