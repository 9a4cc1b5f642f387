"""A box holds what it promises for an ordinary user too, who has no control group and no right to make namespaces."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.box

USER = 1500
WARM = ("test_boxes_of_one_process_share_a_zygote", "test_terminals_of_a_box_are_in_no_other")
REPOSITORY = Path(__file__).parents[3]

BECOME = """
import os, subprocess, sys
from pathlib import Path

user, stage, *rest = sys.argv[1:]
cut = rest.index("--")
needed, command = [Path(path) for path in rest[:cut]], rest[cut + 1 :]

def mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)

closed = {}
for path in needed:
    shut = [parent for parent in reversed(path.parents) if not parent.stat().st_mode & 1]
    if shut:
        closed.setdefault(shut[0], []).append(path)
for number, (folder, paths) in enumerate(closed.items()):
    kept = [Path(stage, f"{number}-{at}") for at in range(len(paths))]
    for path, copy in zip(paths, kept, strict=True):
        copy.mkdir()
        mount("--bind", path, copy)
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", folder)
    for path, copy in zip(paths, kept, strict=True):
        path.mkdir(parents=True)
        mount("--bind", copy, path)
os.setgroups([])
os.setresgid(int(user), int(user), int(user))
os.setresuid(int(user), int(user), int(user))
os.chdir(needed[0])
os.execv(command[0], command)
"""
"""Becomes an ordinary user in a mount namespace in which folders that are closed to others, as /root, are open."""


@pytest.fixture
def ordinary_home() -> Iterator[Path]:
    """A home of the ordinary user; not in pytest's own folder, which is closed to others."""
    with tempfile.TemporaryDirectory(prefix="home-") as name:
        home = Path(name)
        (home / "stage").mkdir()
        os.chown(home, USER, USER)
        yield home


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user runs these very tests as one")
def test_isolation_and_memory_hold_for_an_ordinary_user(ordinary_home: Path) -> None:
    """Tests of isolation, of attacks, of warm boxes and of the memory limit pass when an ordinary user runs them."""
    tests = ["test_isolation.py", "test_escapes.py", "test_endings.py::test_memory_is_bounded"]
    tests += [f"test_warm.py::{name}" for name in WARM]
    paths = [str(Path(__file__).with_name("x").parent / test) for test in tests]
    python = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *paths]
    needed = [str(REPOSITORY), *dict.fromkeys([sys.prefix, sys.base_prefix])]
    argv = [
        "unshare",
        "--mount",
        sys.executable,
        "-c",
        BECOME,
        str(USER),
        str(ordinary_home / "stage"),
        *needed,
        "--",
        *python,
    ]
    home = str(ordinary_home)
    variables = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home, "USER": "user", "LANG": "C.UTF-8"}

    done = subprocess.run(argv, env=variables, capture_output=True, text=True, timeout=600, check=False)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
