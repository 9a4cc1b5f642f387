"""The command line of bubblewrap is a pure function of a policy and a host: a list of named steps."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import autograder
from autograder.box.policy import SCRATCH, Policy, environment

PREFIX_PARTS = ("bin", "lib", "lib64", "share", "pyvenv.cfg")
"""What a Python environment is made of. Never its whole folder: a course may lie in the same one."""

_ETC = ("alternatives", "fonts", "ld.so.cache", "localtime")
_SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")


@dataclass(frozen=True, slots=True)
class Host:
    """What decides the command line, beside the policy.

    Attributes:
        program: Path of bubblewrap.
        version: Its version.
        privileged: Whether the grader may make namespaces as root; the code then runs as a user of its own. Otherwise
            the namespaces hang from a user namespace, and the code runs as the grader's user without any right.
        prefixes: Roots of the Python environment: `sys.prefix`, `sys.base_prefix`, and what they are links to.
        executable: The Python interpreter.
        package: The folder of this package; nothing beside it is shown.
    """

    program: Path
    version: tuple[int, ...]
    privileged: bool
    prefixes: tuple[Path, ...]
    executable: Path = Path(sys.executable)
    package: Path = Path(autograder.__file__).parent


def command(policy: Policy, host: Host, *, nesting: bool = False) -> list[str]:
    """Returns the argv of bubblewrap up to the program that it is to run.

    Args:
        policy: What is to be seen.
        host: How bubblewrap is used here.
        nesting: Whether the program, which is the grader's own, makes boxes inside this one.
    """
    steps = (
        [str(host.program), "--new-session", "--as-pid-1"],
        [] if nesting else ["--die-with-parent"],  # of the thread that started it; a zygote ends by its socket
        _namespaces(host, nesting=nesting),
        _capabilities(host, nesting=nesting),
        _system(),
        _devices(policy, host),
        _scratch(policy, host),
        _python(policy, host),
        ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"],
        _variables(policy),
    )
    return [argument for step in steps for argument in step]


def _namespaces(host: Host, *, nesting: bool) -> list[str]:
    every = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    named = [*every, "--hostname", "box"]
    if host.privileged:
        return named
    if nesting:  # any other number costs bubblewrap a second user namespace, in which it may mount nothing
        return ["--unshare-user", "--uid", "0", "--gid", "0", *named]
    alone = ["--disable-userns"] if host.version >= (0, 8) else []
    return ["--unshare-user", *alone, "--uid", "1000", "--gid", "1000", *named]


def _capabilities(host: Host, *, nesting: bool) -> list[str]:
    """Drops every right; as root the two remain with which a process gives up its user, for nesting those to do so."""
    kept = ["CAP_SETUID", "CAP_SETGID"] if host.privileged else []
    if nesting:
        kept = [*kept, "CAP_SYS_ADMIN", "CAP_KILL"] if host.privileged else ["ALL"]
    return ["--cap-drop", "ALL", *(word for right in kept for word in ("--cap-add", right))]


def _system() -> list[str]:
    argv = ["--ro-bind", "/usr", "/usr"]
    for name in _SYSTEM_LINKS:
        path = Path("/", name)
        if path.is_symlink():
            argv += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            argv += ["--ro-bind", str(path), str(path)]
    argv += ["--perms", "0755", "--dir", "/etc"]
    for name in _ETC:
        argv += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return argv


def _devices(policy: Policy, host: Host) -> list[str]:
    return ["--proc", "/proc", "--dev", "/dev", *_tmpfs("/dev/shm", policy, host)]


def _scratch(policy: Policy, host: Host) -> list[str]:
    return [*_tmpfs("/tmp", policy, host), *_tmpfs(str(SCRATCH), policy, host)]


def _tmpfs(path: str, policy: Policy, host: Host) -> list[str]:
    """An empty folder in memory; before version 0.7 bubblewrap cannot bound it, the box's memory limit does."""
    size = ["--size", str(policy.limits.scratch_mb * 2**20)] if host.version >= (0, 7) else []
    return ["--perms", "1777", *size, "--tmpfs", path]


def _python(policy: Policy, host: Host) -> list[str]:
    """Shows the Python environment, this package and what the policy adds; after `/tmp`, where they may lie."""
    wanted = [prefix / part for prefix in host.prefixes for part in PREFIX_PARTS if (prefix / part).exists()]
    wanted += [host.package, *_links(host.executable), *policy.readable]
    argv: list[str] = []
    shown = [Path("/usr")]
    made = {Path("/"), Path("/usr"), Path("/etc"), Path("/tmp"), Path("/dev")}
    for path in wanted:
        if any(path.is_relative_to(other) for other in shown):
            continue
        shown.append(path)
        for parent in reversed(path.parents):
            if parent not in made:  # bubblewrap itself would make it unreadable for the box's user
                made.add(parent)
                argv += ["--perms", "0755", "--dir", str(parent)]
        argv += ["--ro-bind", str(path), str(path)]
    return argv


def _links(path: Path) -> Iterator[Path]:
    """Yields a path, what it links to, what that links to, and so on."""
    for _ in range(40):  # as many as the kernel follows
        yield path
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _variables(policy: Policy) -> list[str]:
    argv = ["--clearenv"]
    for name, value in environment(policy).items():
        argv += ["--setenv", name, value]
    return argv
