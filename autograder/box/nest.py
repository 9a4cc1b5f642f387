"""What a process forked from the zygote does to have a box of its own: new namespaces, folders, terminals and `/proc`.

Linux facts: namespaces(7), mount_namespaces(7), user_namespaces(7), proc(5). Python has `os.unshare` from 3.12 on.
"""

from __future__ import annotations

import ctypes
import os
import socket
from pathlib import Path

from autograder.box.policy import SCRATCH, Limits

_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000
_NOSUID, _NODEV, _NOEXEC, _BIND, _REC, _PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
_FRESH = (SCRATCH, Path("/tmp"), Path("/dev/shm"))
_INODES = 20_000
_TERMINALS = 64
_INNER_USER = 1000

_libc = ctypes.CDLL(None, use_errno=True)


def next_child_in_new_namespace() -> None:
    """Lets the next child of this process be the first of a new process namespace.

    Raises:
        OSError: This process may not make namespaces.
    """
    _check(_libc.unshare(_NEWPID))


def children_in(namespace: int) -> None:
    """Lets further children be in the process namespace that a descriptor names."""
    _check(_libc.setns(namespace, _NEWPID))


def enter(limits: Limits, *, inner_user: bool) -> None:
    """Gives this process, the first of its process namespace, every other namespace, fresh folders and no terminal.

    Args:
        limits: The size of the fresh folders.
        inner_user: Whether to end in a further user namespace, without power over what was mounted; where the grader
            is no root. Root's boxes give up their user instead, in `autograder.box.confine`.

    Raises:
        OSError: This process may not do so.
    """
    _check(_libc.unshare(_NEWNS | _NEWIPC | _NEWUTS | _NEWNET | _NEWCGROUP))
    _mount("none", Path("/"), "", _REC | _PRIVATE)
    hidden = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in _mounted_beneath(_FRESH)}
    for folder in _FRESH:
        size = f"size={limits.scratch_mb}m,nr_inodes={_INODES},mode=1777"
        _mount("tmpfs", folder, "tmpfs", _NOSUID | _NODEV, size)
    for path, descriptor in hidden.items():
        _show_again(path, descriptor)
    _mount("devpts", Path("/dev/pts"), "devpts", _NOSUID | _NOEXEC, f"ptmxmode=0666,mode=620,max={_TERMINALS}")
    _mount("proc", Path("/proc"), "proc", _NOSUID | _NODEV | _NOEXEC)
    socket.sethostname("box")
    if inner_user:
        _enter_user_namespace()


def _mounted_beneath(folders: tuple[Path, ...]) -> list[Path]:
    """Finds what is mounted beneath folders: parts of a Python environment may lie in `/tmp`."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    points = (Path(os.fsdecode(line.split()[4].encode().decode("unicode_escape").encode("latin-1"))) for line in lines)
    return [point for point in points if any(folder in point.parents for folder in folders) and point not in folders]


def _show_again(path: Path, descriptor: int) -> None:
    """Mounts what a descriptor stands for at its old place, read-only as it was."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    if Path(f"/proc/self/fd/{descriptor}").is_dir():
        path.mkdir(exist_ok=True)
    else:
        path.touch()
    _mount(f"/proc/self/fd/{descriptor}", path, "", _BIND | _REC)
    os.close(descriptor)


def _enter_user_namespace() -> None:
    """Takes a user namespace in which the same user has an ordinary number; `confine` drops the rights it brings."""
    _check(_libc.unshare(_NEWUSER))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{_INNER_USER} 0 1")
    Path("/proc/self/gid_map").write_text(f"{_INNER_USER} 0 1")


def _mount(source: str, target: Path, kind: str, flags: int, data: str = "") -> None:
    arguments = (source.encode(), os.fsencode(target), kind.encode(), ctypes.c_ulong(flags), data.encode())
    _check(_libc.mount(*arguments))


def _check(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
