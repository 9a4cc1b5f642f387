"""Landlock narrows what a process may open to named files and folders, whatever else its namespaces show it.

Beside the namespaces it is a second wall of another making. What the kernel at hand does not know yet is left out.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Sequence
from pathlib import Path

from autograder.box.seccomp import gain_no_privileges

_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_MAKE_CHAR = 1 << 6
_MAKE_BLOCK = 1 << 11
_TRUNCATE = 1 << 14
_IOCTL_DEV = 1 << 15
_RESOLVE_UNIX = 1 << 16

_FILES_BY_ABI = {1: (1 << 13) - 1, 2: 1 << 13, 3: _TRUNCATE, 5: _IOCTL_DEV, 9: _RESOLVE_UNIX}
"""Rights on files that each version of the ABI added; 2: rename and link from one folder to another."""

_NETWORK_BY_ABI = {4: 0b11}
"""Binding and connecting TCP sockets."""

_SCOPES_BY_ABI = {6: 0b11}
"""Abstract sockets and signals: neither reaches out of the box."""

_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV | _RESOLVE_UNIX
_READABLE = _EXECUTE | _READ_FILE | _READ_DIR
_NEVER = _MAKE_CHAR | _MAKE_BLOCK

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # on every architecture
_ASK_VERSION = 1
_PATH_BENEATH = 1


def abi() -> int:
    """Returns the version of Landlock that this kernel has, or 0 where there is none."""
    try:
        return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    except OSError:
        return 0


def restrict(*, readable: Sequence[Path], writable: Sequence[Path]) -> None:
    """Restricts the calling thread for good, and all that it will start.

    Call it while the process has one thread. Files that are open stay so. The process reaches no TCP port, and no
    abstract socket or process that was there before, as far as this kernel can see to it; without Landlock nothing is
    restricted (`abi` tells).

    Args:
        readable: Files and folders, with all that is in them, to read and to execute; what does not exist is left out.
        writable: Files and folders to do everything with but to make devices.

    Raises:
        OSError: The kernel refused.
    """
    version = abi()
    if version == 0:
        return
    files = _known(_FILES_BY_ABI, version)
    handled = struct.pack("=QQQ", files, _known(_NETWORK_BY_ABI, version), _known(_SCOPES_BY_ABI, version))
    ruleset = _call(_CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), ctypes.c_uint32(0))
    try:
        for path in readable:
            _allow(ruleset, path, files & _READABLE)
        for path in writable:
            _allow(ruleset, path, files & ~_NEVER)
        gain_no_privileges()
        _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)


def _known(added: dict[int, int], version: int) -> int:
    """Joins the rights that a version has; each bit is in one version alone."""
    return sum(rights for since, rights in added.items() if since <= version)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(folder).st_mode):
            rights &= _OF_A_FILE
        rule = struct.pack("=Qi", rights, folder)
        _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(folder)


def _call(number: int, *arguments: object) -> int:
    result = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return int(result)
