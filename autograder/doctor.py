"""The doctor probes what grading needs of this machine: what is there, what is missing, and how to mend it."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.box import cgroup, landlock, seccomp
from autograder.box.box import Box
from autograder.box.host import INSTALL, NAMESPACES, find_host
from autograder.box.policy import Limits, Policy
from autograder.faults import Fault, HostFault

_OLDEST_PYTHON = (3, 11)
_OLDEST_BWRAP = (0, 5)
_BOUNDED_BWRAP = (0, 7)
_DISK_MB = 500
_TRIAL_S = 30.0
_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_PACKAGES = ("jax", "jaxlib", "flatbuffers", "numpy", "nbgrader", "ipykernel", "jupyter_client")


class State(StrEnum):
    """How a requirement stands."""

    OK = "ok"
    DEGRADED = "degraded"
    """Grading works, with less protection or speed."""
    MISSING = "missing"
    """Grading does not work."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that grading needs of the machine.

    Attributes:
        name: What it is, in a few words.
        state: `ok`, `degraded` or `missing`.
        found: What is there.
        remedy: How to mend it; empty when it is `ok`.
    """

    name: str
    state: State
    found: str
    remedy: str = ""


def probe() -> tuple[Requirement, ...]:
    """Looks at everything that grading needs, in the order in which one would mend it; takes a few seconds."""
    first = [_python(), *map(_package, _PACKAGES), _alembic(), _memory(), _disk(), _bubblewrap()]
    checks: list[Callable[[], Requirement]] = [_namespaces, _apparmor, _filter, _landlock, _limits, _box, _warm_box]
    return (*first, *(check() for check in checks))


def _python() -> Requirement:
    found = platform.python_version()
    if sys.version_info >= _OLDEST_PYTHON:
        return Requirement("Python", State.OK, found)
    return Requirement("Python", State.MISSING, found, "Install Python 3.11 or newer and make a new environment.")


def _package(name: str) -> Requirement:
    try:
        return Requirement(name, State.OK, version(name))
    except PackageNotFoundError:
        remedy = f"Install this program's dependencies again, or `{sys.executable} -m pip install {name}`."
        return Requirement(name, State.MISSING, "not installed", remedy)


def _alembic() -> Requirement:
    """Looks for `alembic`, which nbgrader starts by its bare name to make and upgrade the gradebook."""
    beside = Path(sys.executable).with_name("alembic")  # where `gradebook.configure` has nbgrader look for it
    found = shutil.which("alembic") or (str(beside) if beside.exists() else None)
    if found:
        return Requirement("alembic", State.OK, found)
    return Requirement("alembic", State.MISSING, "not found", f"`{sys.executable} -m pip install alembic`")


def _memory() -> Requirement:
    wanted = Limits().memory_mb
    lines = (line.split() for line in Path("/proc/meminfo").read_text().splitlines())
    free = next((int(line[1]) // 1024 for line in lines if line[0] == "MemAvailable:"), 0)
    found = f"{free} MiB available"
    if free >= wanted:
        return Requirement("memory", State.OK, found)
    remedy = f"One box may use {wanted} MiB: close other programs, or grade with one worker."
    return Requirement("memory", State.DEGRADED, found, remedy)


def _disk() -> Requirement:
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free // 2**20
    found = f"{free} MiB free in {folder}"
    if free >= _DISK_MB:
        return Requirement("disk", State.OK, found)
    return Requirement("disk", State.DEGRADED, found, f"Free some space in {folder}, or set TMPDIR to another folder.")


def _bubblewrap() -> Requirement:
    try:
        host = find_host()
    except HostFault as fault:
        return Requirement("bubblewrap", State.MISSING, "not installed", fault.remedy)
    found = f"{'.'.join(map(str, host.version))} at {host.program}"
    if host.version < _OLDEST_BWRAP:
        return Requirement("bubblewrap", State.MISSING, found, f"Version 0.5 or newer is needed. {INSTALL}")
    if host.version < _BOUNDED_BWRAP:
        remedy = "From version 0.7 on, files in a box are bounded; until then only by the limit on memory."
        return Requirement("bubblewrap", State.DEGRADED, found, remedy)
    return Requirement("bubblewrap", State.OK, found)


def _namespaces() -> Requirement:
    """Makes the namespaces that a box needs, around `true`."""
    name = "namespaces"
    try:
        host = find_host()
    except HostFault as fault:
        return Requirement(name, State.MISSING, "not tried without bubblewrap", fault.remedy)
    user = [] if host.privileged else ["--unshare-user"]
    view = ["--ro-bind", "/", "/", "--proc", "/proc"]
    argv = [str(host.program), *user, "--unshare-pid", "--unshare-net", *view, "true"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=_TRIAL_S)
    except subprocess.TimeoutExpired:
        return Requirement(name, State.MISSING, "bubblewrap did not come to an end", NAMESPACES)
    if done.returncode:
        return Requirement(name, State.MISSING, done.stderr.strip() or "bubblewrap failed", NAMESPACES)
    if os.geteuid() == 0 and not host.privileged:
        remedy = (
            "Grade as an ordinary user: in this container a box's code keeps the user number of root, without rights."
        )
        return Requirement(name, State.DEGRADED, "user namespaces, as root", remedy)
    return Requirement(name, State.OK, "made by root" if host.privileged else "user namespaces")


def _apparmor() -> Requirement:
    """Reads the setting of Ubuntu 24.04; whether namespaces work all the same, the probe above has tried."""
    name = "AppArmor on user namespaces"
    if not _APPARMOR.exists():
        return Requirement(name, State.OK, "no restriction on this system")
    if _APPARMOR.read_text().strip() == "0":
        return Requirement(name, State.OK, "not restricted")
    if _namespaces().state is not State.MISSING:
        return Requirement(name, State.OK, "restricted, and bubblewrap is allowed")
    return Requirement(name, State.MISSING, "restricted, and bubblewrap is not allowed", NAMESPACES)


def _filter() -> Requirement:
    """Makes the filter of system calls, which needs a library of the system."""
    try:
        seccomp.build()
    except HostFault as fault:
        return Requirement("libseccomp", State.MISSING, "not installed", fault.remedy)
    return Requirement("libseccomp", State.OK, "makes the filter of system calls")


def _landlock() -> Requirement:
    version = landlock.abi()
    if version:
        return Requirement("Landlock", State.OK, f"version {version} of its ABI")
    remedy = "Linux 5.13 or newer with Landlock puts a second wall around files; the namespaces stand without it."
    return Requirement("Landlock", State.DEGRADED, "this kernel has none", remedy)


def _limits() -> Requirement:
    name = "control groups"
    if cgroup.available():
        return Requirement(name, State.OK, "memory and processes of a box are bounded as a whole")
    remedy = (
        "Grade as root, or in a scope of your own: `systemd-run --user --scope -p Delegate=yes autograder ...`. "
        "Until then memory is bounded process by process."
    )
    return Requirement(name, State.DEGRADED, "none can be made: rlimits only", remedy)


def _box() -> Requirement:
    """Starts a real box and asks it one thing."""
    name = "a box"
    try:
        with Box("replay", policy=Policy()) as box:
            told = box.ask({"op": "environment"}, timeout=60).content
    except Fault as fault:
        said = " ".join(filter(None, (fault.message, fault.detail.strip().rpartition("\n")[2])))
        return Requirement(name, State.MISSING, said, fault.remedy or "See the requirements above.")
    return Requirement(name, State.OK, f"started and answered: JAX {str(told.get('jax', 'unknown'))[:20]}")


def _warm_box() -> Requirement:
    """Starts a box from a zygote and asks it one thing."""
    name = "a warm start of boxes"
    try:
        with Box("replay", policy=Policy(start="warm")) as box:
            box.ask({"op": "environment"}, timeout=60)
    except Fault as fault:
        said = " ".join(filter(None, (fault.message, fault.detail.strip().rpartition("\n")[2])))
        remedy = "Boxes are started cold, just as safe but several times slower; see the requirements above."
        return Requirement(name, State.DEGRADED, said, remedy)
    return Requirement(name, State.OK, "forked from a zygote, and answered")
