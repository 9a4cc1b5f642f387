"""What boxes of this process leave on this machine: processes, folders, control groups, mounts, temporary files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from autograder.box import cgroup, folder


def traces() -> set[str]:
    """Names all there is now; equal before and after, nothing was left behind."""
    groups = {f"group {path}" for parent in cgroup.parents() for path in parent.glob(f"{cgroup.PREFIX}{os.getpid()}-*")}
    mounts = {f"mount {line.split()[4]}" for line in Path("/proc/self/mountinfo").read_text().splitlines()}
    files = {f"file {path}" for path in Path(tempfile.gettempdir()).iterdir() if _is_own(path)}
    return descendants(os.getpid()) | groups | mounts | files | _held_folders()


def descendants(pid: int) -> set[str]:
    """Names all processes below one, in all process namespaces."""
    parents: dict[str, str] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[status.parent.name] = status.read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
    found: set[str] = set()
    fresh = {str(pid)}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh}
        found |= fresh
    return {f"process {number}" for number in found}


def _is_own(path: Path) -> bool:
    """Whether only this process makes files here: it has a folder for temporary files of its own."""
    return path.parent.name.startswith("hostile-")


def _held_folders() -> set[str]:
    links = (os.readlink(path) for path in Path("/proc/self/fd").iterdir() if path.is_symlink())
    return {f"folder {link}" for link in links if folder.PREFIX in link}
