"""A control group is made beneath the grader's own, in either version, and removed again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.box import cgroup
from autograder.box.cgroup import Cgroup
from autograder.box.policy import Limits


def hierarchies(monkeypatch: pytest.MonkeyPatch, memberships: dict[str, str], mounts: dict[str, Path]) -> None:
    """Makes the host look as if it had these hierarchies."""
    monkeypatch.setattr(cgroup, "_memberships", lambda: iter(memberships.items()))
    monkeypatch.setattr(cgroup, "_mounts", lambda: iter(mounts.items()))


def group(path: Path, *, controllers: str = "cpu memory pids") -> Path:
    """Makes what looks like a group of version 2."""
    path.mkdir(parents=True)
    (path / "cgroup.procs").touch()
    (path / "cgroup.subtree_control").write_text(f"{controllers}\n")
    return path


def test_version_1_nests_in_the_graders_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In version 1 a group lies beneath the grader's own, so that the grader's limits hold for it too."""
    own = group(tmp_path / "memory" / "service" / "grader")
    pids = group(tmp_path / "pids")
    mounts = {"memory": tmp_path / "memory", "pids": pids, "": tmp_path / "unified"}
    hierarchies(monkeypatch, {"memory": "/service/grader", "pids": "/"}, mounts)

    assert cgroup.parents() == (own, pids)


def test_version_1_in_a_container_takes_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a container hides the path of its own group, the group lies at the root of what is there."""
    mounts = {"memory": group(tmp_path / "memory"), "pids": group(tmp_path / "pids")}
    hierarchies(monkeypatch, {"memory": "/docker/abc", "pids": "/docker/abc"}, mounts)

    assert cgroup.parents() == (mounts["memory"], mounts["pids"])


def test_version_2_takes_the_nearest_that_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In version 2 a group lies beneath the nearest group upward that hands down both controllers."""
    group(tmp_path / "all")
    slice_ = group(tmp_path / "all" / "user.slice")
    group(slice_ / "own.scope", controllers="")
    hierarchies(monkeypatch, {"": "/user.slice/own.scope"}, {"": tmp_path / "all"})

    assert cgroup.parents() == (slice_,)


def test_no_hierarchy_is_no_group(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where no group bounds memory and processes none is made, and nothing fails."""
    group(tmp_path / "all", controllers="cpu")
    hierarchies(monkeypatch, {"": "/"}, {"": tmp_path / "all"})

    assert cgroup.parents() == ()
    assert cgroup.create(Limits()) is None
    assert not cgroup.available()


def test_group_without_limits_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one of two hierarchies cannot be used nothing is left behind in the other."""
    memory = group(tmp_path / "memory")
    monkeypatch.setattr(cgroup, "parents", lambda: (memory, tmp_path / "absent"))

    assert cgroup.create(Limits()) is None
    assert list(memory.glob(f"{cgroup.PREFIX}*")) == []


@pytest.mark.parametrize(
    ("files", "kills", "peak"),
    [
        ({"memory.events": "low 0\noom 5\noom_kill 2\n", "memory.peak": "1048576\n"}, 2, 1.0),
        ({"memory.oom_control": "oom_kill_disable 0\noom_kill 1\n", "memory.max_usage_in_bytes": "2097152"}, 1, 2.0),
        ({}, 0, None),
    ],
)
def test_counts_are_read(tmp_path: Path, files: dict[str, str], kills: int, peak: float | None) -> None:
    """What the kernel counted is read in both versions, and is nothing where the kernel does not count."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    assert Cgroup((tmp_path,)).oom_kills() == kills
    assert Cgroup((tmp_path,)).peak_mb() == peak


def test_sweep_takes_only_what_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep removes old groups of graders that no longer run, and leaves those of graders that do."""
    stale = tmp_path / f"{cgroup.PREFIX}999999999-a"
    fresh = tmp_path / f"{cgroup.PREFIX}999999998-b"
    own = tmp_path / f"{cgroup.PREFIX}{os.getpid()}-c"
    other = tmp_path / "system.slice"
    for folder in (stale, fresh, own, other):
        folder.mkdir()
    for folder in (stale, own, other):
        os.utime(folder, (0, 0))
    monkeypatch.setattr(cgroup, "parents", lambda: (tmp_path,))

    cgroup.sweep()

    assert sorted(tmp_path.iterdir()) == sorted([fresh, own, other])
