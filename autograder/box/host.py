"""What this host offers for a box: where bubblewrap is, which version, and with which rights it may be used."""

from __future__ import annotations

import functools
import os
import pwd
import re
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.box.bwrap import Host
from autograder.faults import HostFault

INSTALL = "Install it: `apt install bubblewrap` (Debian, Ubuntu) or `dnf install bubblewrap` (Fedora)."
NAMESPACES = (
    "Allow user namespaces. On Ubuntu 24.04 AppArmor restricts them: install a profile for /usr/bin/bwrap that has the "
    "rule `userns,` (`apt install apparmor-profiles` brings one, bwrap-userns-restrict), or set "
    "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`. In a container, allow the calls unshare and mount."
)

_CAP_SYS_ADMIN = 21
_USERS = 0x7000_0000
"""The first of 2**24 numeric users that belong to no account, for boxes that root starts."""
_FEW = 30_000
"""The first, and the number, of those where a container has but 65536 users."""
_ATTEMPTS = 8
NOBODY = 65534
"""The user of boxes where no other is free; they then share it."""


@functools.cache
def find_host() -> Host:
    """Looks at this machine once.

    Raises:
        HostFault: There is no bubblewrap.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise HostFault("Grading needs bubblewrap, and there is no program `bwrap` on this machine.", remedy=INSTALL)
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=10).stdout
    version = tuple(int(number) for number in re.findall(r"\d+", told)[:3])
    roots = (Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix), Path(sys.base_exec_prefix))
    prefixes = tuple(dict.fromkeys(path for root in roots for path in (root, root.resolve())))
    return Host(program=Path(program), version=version, privileged=_privileged(), prefixes=prefixes)


def fresh_user(host: Host) -> int | None:
    """Picks a numeric user for one box that root starts; `None` where the box stays the grader's own user."""
    if not host.privileged:
        return None
    for _ in range(_ATTEMPTS):
        for user in (_USERS + secrets.randbelow(2**24), _FEW + secrets.randbelow(_FEW)):
            if _mapped(user) and not _has_account(user):
                return user
    return NOBODY


def _privileged() -> bool:
    """Whether this process is root with the right to make namespaces, which root in a container often lacks."""
    status = Path("/proc/self/status").read_text()
    held = int(re.findall(r"^CapEff:\s*(\w+)", status, re.MULTILINE)[0], 16)
    return os.geteuid() == 0 and bool(held >> _CAP_SYS_ADMIN & 1)


def _has_account(user: int) -> bool:
    try:
        return bool(pwd.getpwuid(user))
    except KeyError:
        return False


def _mapped(user: int) -> bool:
    for line in Path("/proc/self/uid_map").read_text().splitlines():
        first, _, count = (int(number) for number in line.split())
        if first <= user < first + count:
            return True
    return False
