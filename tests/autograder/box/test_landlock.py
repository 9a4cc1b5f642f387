"""Landlock leaves a process the files that it was given, each for what it was given for, and no one else's."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from autograder.box import landlock
from tests.autograder.box.child import run_child

pytestmark = pytest.mark.skipif(landlock.abi() == 0, reason="this kernel has no Landlock")

SYSTEM = ["/usr", "/bin", "/lib", "/lib64", "/proc", sys.prefix, sys.base_prefix, "/no/such/folder"]

RESTRICT = f"""
root = Path(sys.argv[1])
landlock.restrict(
    readable=[*map(Path, {SYSTEM}), root / "readable"],
    writable=[root / "writable", Path("/dev/null")],
)
readable, writable, other = root / "readable", root / "writable", root / "other"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder to read, one to write, and another one, each with a file and a program."""
    for name in ("readable", "writable", "other"):
        folder = tmp_path / name
        (folder / "inner").mkdir(parents=True)
        (folder / "file").write_text("0123456789")
        (folder / "program").write_text("#!/bin/sh\nexit 0\n")
        (folder / "program").chmod(0o755)
    return tmp_path


def test_other_files_are_closed(root: Path) -> None:
    """What was not given can be neither read, listed, run, changed nor emptied, by a link or a folder's own door."""
    code = """
(writable / "link").symlink_to(other / "file")
attempts = {
    "read": (open, other / "file"),
    "list": (os.listdir, other),
    "run": (os.execv, other / "program", ["program"]),
    "write": (open, other / "file", "a"),
    "create": (open, other / "new", "w"),
    "remove": (os.remove, other / "file"),
    "by a link": (open, writable / "link"),
    "by the folder above": (open, writable / ".." / "other" / "file"),
    "by the root of a process": (open, f"/proc/self/root{other}/file"),
    "hard link": (os.link, other / "file", writable / "hard"),
    "move": (os.rename, other / "file", writable / "moved"),
    "move away": (os.rename, writable / "file", other / "moved"),
}
report({name: attempt(*work) for name, work in attempts.items()})
"""

    found = run_child(RESTRICT + code, root)

    assert {name: came for name, came in found.items() if came not in ("EACCES", "EXDEV")} == {}
    assert (root / "other" / "file").read_text() == "0123456789"
    assert sorted(path.name for path in (root / "other").iterdir()) == ["file", "inner", "program"]


def test_readable_files_are_read_alone(root: Path) -> None:
    """What was given to read can be read, listed and run, and nothing else."""
    code = """
import subprocess
works = [open(readable / "file").read(), sorted(os.listdir(readable))]
works.append(subprocess.run([readable / "program"]).returncode)
attempts = [(open, readable / "file", "a"), (os.mkdir, readable / "new"), (os.remove, readable / "file")]
attempts += [(os.rename, readable / "file", readable / "moved"), (os.symlink, "file", readable / "link")]
report([works, [attempt(*work) for work in attempts]])
"""

    works, refused = run_child(RESTRICT + code, root)

    assert works == ["0123456789", ["file", "inner", "program"], 0]
    assert refused == ["EACCES"] * 5


def test_writable_folder_is_the_processs_own(root: Path) -> None:
    """In a folder that was given to write, everything works but devices."""
    code = """
import sqlite3, stat, subprocess, tempfile, zipfile
base = sqlite3.connect(writable / "base.db")
base.execute("create table t (x)")
base.commit()
os.mkfifo(writable / "fifo")
os.link(writable / "file", writable / "inner" / "hard")
os.rename(writable / "file", writable / "inner" / "moved")
os.symlink("inner", writable / "link")
with tempfile.TemporaryDirectory(dir=writable) as name:
    Path(name, "x").write_text("x")
report([
    subprocess.run([writable / "program"]).returncode,
    (writable / "link" / "moved").read_text(),
    open("/dev/null", "w").write("x"),
    open("/proc/self/fd/1", "w").write(""),
    attempt(os.mknod, writable / "zero", stat.S_IFCHR | 0o666, os.makedev(1, 5)) in ("EACCES", "EPERM"),
])
"""

    assert run_child(RESTRICT + code, root) == [0, "0123456789", 1, 0, True]


@pytest.mark.skipif(landlock.abi() < 3, reason="this kernel's Landlock does not know truncation")
def test_truncation_is_writing(root: Path) -> None:
    """A file to read cannot be emptied, one to write can."""
    code = "report([attempt(os.truncate, folder / 'file', 4) for folder in (readable, writable, other)])"

    assert run_child(RESTRICT + code, root) == ["EACCES", "done", "EACCES"]
    assert [(root / name / "file").stat().st_size for name in ("readable", "writable", "other")] == [10, 4, 10]


@pytest.mark.skipif(landlock.abi() < 4, reason="this kernel's Landlock does not know TCP")
def test_no_tcp(root: Path) -> None:
    """No TCP port is bound or reached, not even the process's own loopback interface."""
    code = """
import socket
name = ("127.0.0.1", int(sys.argv[2]))
report([attempt(socket.socket().bind, ("127.0.0.1", 0)), attempt(socket.socket().connect, name)])
"""

    with socket.create_server(("127.0.0.1", 0)) as server:
        assert run_child(RESTRICT + code, root, server.getsockname()[1]) == ["EACCES", "EACCES"]


@pytest.mark.skipif(landlock.abi() < 5, reason="this kernel's Landlock does not know devices")
def test_devices_obey_where_they_were_given(root: Path) -> None:
    """A device that may only be read takes no requests; one that may be written does."""
    code = """
import fcntl
landlock.restrict(readable=[Path("/dev/zero"), Path("/usr"), Path("/lib")], writable=[Path("/dev/ptmx")])
zero, terminal = open("/dev/zero", "rb"), open("/dev/ptmx", "r+b", buffering=0)
request = 0x8004_5430  # which number the terminal has
report([attempt(fcntl.ioctl, file, request, bytes(4)) for file in (zero, terminal)])
"""

    assert run_child(code, root) == ["EACCES", "done"]


@pytest.mark.skipif(landlock.abi() < 6, reason="this kernel's Landlock does not know scopes")
def test_signals_and_abstract_sockets_stay_inside(root: Path) -> None:
    """A process that is restricted signals and connects to its own children alone."""
    code = """
import signal, socket, subprocess
own = socket.socket(socket.AF_UNIX)
own.bind(b"\\0own-%d" % os.getpid())
own.listen()
child = subprocess.Popen(["sleep", "60"])
report([
    attempt(os.kill, os.getppid(), 0),
    attempt(os.kill, os.getppid(), signal.SIGCONT),
    attempt(signal.pidfd_send_signal, os.pidfd_open(os.getppid()), signal.SIGCONT),
    attempt(socket.socket(socket.AF_UNIX).connect, b"\\0" + sys.argv[2].encode()),
    attempt(child.kill),
    child.wait(),
    attempt(socket.socket(socket.AF_UNIX).connect, own.getsockname()),
])
"""

    with socket.socket(socket.AF_UNIX) as server:
        name = f"outside-{os.getpid()}"
        server.bind(f"\0{name}")
        server.listen()
        assert run_child(RESTRICT + code, root, name) == [*["EPERM"] * 4, "done", -9, "done"]


@pytest.mark.parametrize("version", range(1, 10))
def test_older_kernels_know_less(version: int, root: Path) -> None:
    """With the rights of any older version the files are guarded as well; of a newer one this kernel wants none."""
    code = """
report([attempt(open, readable / "file"), attempt(open, readable / "file", "a"), attempt(open, other / "file")])
"""
    older = f"landlock.abi = lambda: {min(version, landlock.abi())}\n"

    assert run_child(older + RESTRICT + code, root) == ["done", "EACCES", "EACCES"]


def test_other_kernels_restrict_nothing(root: Path) -> None:
    """Where the kernel has no Landlock the version is 0, and everything is as it was."""
    code = """
landlock._CREATE_RULESET = 10**6
landlock.restrict(readable=[], writable=[])
report([landlock.abi(), attempt(open, root / "other" / "file")])
"""

    assert run_child("root = Path(sys.argv[1])\n" + code, root) == [0, "done"]
