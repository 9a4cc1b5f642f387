"""Boxes for the tests: one that tests share which leave it as it was, and ways to see what a box leaves behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.box import cgroup, folder, warm
from autograder.box.box import Box
from autograder.box.policy import Limits, Policy
from autograder.course.files import regular_files

LIMITS = Limits(memory_mb=1024, scratch_mb=64, file_mb=32, output_mb=4, message_mb=2)


@pytest.fixture(scope="module")
def shared_box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """A student box that the tests of a module share; its files are a helper, a fake library and a link."""
    files = tmp_path_factory.mktemp("submission")
    (files / "helper.py").write_text("ANSWER = 42\n")
    (files / "numpy.py").write_text("raise RuntimeError('the planted numpy was imported')\n")
    (files / "sitecustomize.py").write_text("import os; os.environ['PLANTED'] = 'yes'\n")
    (files / "data").mkdir()
    (files / "data" / "ünï 学 [1].csv").write_text("1,2\n")
    secret = tmp_path_factory.mktemp("secret") / "secret.txt"
    secret.write_text("the expected value")
    (files / "link.txt").symlink_to(secret)
    (files / "folder").symlink_to(secret.parent, target_is_directory=True)
    with Box("student", policy=Policy(limits=LIMITS), files=dict(regular_files(files))) as box:
        yield box


@pytest.fixture(scope="session")
def limits() -> Limits:
    """Limits that are quick to hit, and enough for JAX."""
    return LIMITS


@pytest.fixture
def policy(limits: Limits) -> Policy:
    """A policy with those limits."""
    return Policy(limits=limits)


@pytest.fixture(scope="session")
def leftovers() -> Callable[[], set[str]]:
    """Names, when called, what boxes of this process have on this machine; their zygote stays to the end."""
    warm.zygote_for(Policy())
    return _leftovers


def _leftovers() -> set[str]:
    """Names descendants, private folders and control groups."""
    groups = {str(path) for parent in cgroup.parents() for path in parent.glob(f"{cgroup.PREFIX}{os.getpid()}-*")}
    return _descendants(os.getpid()) | groups | _own_folders()


def _descendants(pid: int) -> set[str]:
    """Names all processes below one, in all process namespaces."""
    parents: dict[str, str] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[status.parent.name] = fields[1]
    found: set[str] = set()
    fresh = {str(pid)}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh}
        found |= fresh
    return {f"process {number}" for number in found}


def _own_folders() -> set[str]:
    """Names the private folders that this process holds open."""
    links = (os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink())
    return {link for link in links if folder.PREFIX in link}
