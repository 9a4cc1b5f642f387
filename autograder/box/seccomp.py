"""A filter of system calls keeps a box away from the parts of the kernel that no notebook needs.

Namespaces decide what a box can see; this decides what it can ask. Everything is allowed but what is listed here and
what is newer than this list. `build` needs libseccomp and runs in the grader; `load` needs nothing and runs in the box.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from functools import cache
from typing import Any

from autograder.faults import HostFault

REFUSED = (
    # namespaces and mounts: what a box sees stays what it was made to see
    *("unshare", "setns", "chroot", "pivot_root", "mount", "umount2", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "open_tree", "move_mount"),
    # other processes
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"),
    *("move_pages", "migrate_pages"),
    # files by handle, which go around every path
    *("name_to_handle_at", "open_by_handle_at", "fanotify_init", "fanotify_mark"),
    # large parts of the kernel that often had holes
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("add_key", "request_key", "keyctl", "memfd_secret", "modify_ldt", "lookup_dcookie"),
    # the machine as a whole
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex"),
    *("acct", "quotactl", "quotactl_fd", "syslog", "vhangup", "sethostname", "setdomainname", "nfsservctl"),
    *("iopl", "ioperm", "personality", "sysfs", "uselib", "ustat", "_sysctl"),
)
"""Calls that are refused with EPERM. All are known to libseccomp 2.5.2; what an architecture lacks is left out."""

NEWEST = 456
"""The last call that this list was made with, `futex_requeue` of Linux 6.7; what came after it does not exist in a box.

From 424 on all architectures have the same numbers. Libraries do without a call that does not exist.
"""

NAMESPACE_FLAGS = {
    "CLONE_NEWNS": 0x0002_0000,
    "CLONE_NEWCGROUP": 0x0200_0000,
    "CLONE_NEWUTS": 0x0400_0000,
    "CLONE_NEWIPC": 0x0800_0000,
    "CLONE_NEWUSER": 0x1000_0000,
    "CLONE_NEWPID": 0x2000_0000,
    "CLONE_NEWNET": 0x4000_0000,
}
"""Flags of `clone` that make a namespace; time namespaces need another call."""

TERMINAL_REQUESTS = {"TIOCSTI": 0x5412, "TIOCLINUX": 0x541C, "TIOCSETD": 0x5423}
"""Requests of `ioctl` that type into a terminal, or give it another line discipline."""

_AF_UNIX = 1
_LOW_HALF = 0xFFFF_FFFF
"""The kernel reads a request as 32 bits: a filter that compared all 64 would miss one with a higher bit set."""
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_MODE_FILTER = 2
_INSTRUCTION = struct.Struct("HBBI")
_LOAD_NUMBER = (0x20, 0, 0, 0)  # A = seccomp_data.nr
_SKIP_IF_KNOWN = (0x25, 0, 1, NEWEST)  # if A > NEWEST go on, else skip one
_ANSWER_ENOSYS = (0x06, 0, 0, 0x0005_0000 | errno.ENOSYS)


@cache
def build() -> bytes:
    """Makes the program that `load` installs, for the architecture that this machine has.

    Raises:
        HostFault: libseccomp is missing.
    """
    library = _library()
    rules = library.SyscallFilter(library.ALLOW)
    rules.set_attr(library.Attr.ACT_BADARCH, library.KILL_PROCESS)  # libseccomp's default ends one thread alone
    refuse = library.ERRNO(errno.EPERM)
    for call in REFUSED:
        rules.add_rule(refuse, call)
    rules.add_rule(library.ERRNO(errno.ENOSYS), "clone3")  # its flags are out of reach; libraries then use clone
    for flag in NAMESPACE_FLAGS.values():
        rules.add_rule(refuse, "clone", library.Arg(0, library.MASKED_EQ, flag, flag))
    for request in TERMINAL_REQUESTS.values():
        rules.add_rule(refuse, "ioctl", library.Arg(1, library.MASKED_EQ, _LOW_HALF, request))
    no_family = library.ERRNO(errno.EAFNOSUPPORT)
    for call in ("socket", "socketpair"):
        rules.add_rule(no_family, call, library.Arg(0, library.NE, _AF_UNIX))
    with open(os.memfd_create("seccomp"), "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        listed = file.read()
    return b"".join(_INSTRUCTION.pack(*step) for step in (_LOAD_NUMBER, _SKIP_IF_KNOWN, _ANSWER_ENOSYS)) + listed


def load(program: bytes) -> None:
    """Installs a program in the calling thread for good, and in all that it will start.

    Call it while the process has one thread. The process and its children can gain no rights from then on.

    Raises:
        OSError: The kernel refused it.
    """
    instructions = ctypes.create_string_buffer(program, len(program))
    header = _Program(len(program) // _INSTRUCTION.size, ctypes.cast(instructions, ctypes.c_void_p))
    gain_no_privileges()
    _prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(header))


def gain_no_privileges() -> None:
    """Sees to it that no program gives the calling thread, or what it starts, a right that it has not."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


class _Program(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _prctl(option: int, *arguments: int) -> None:
    words = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    if ctypes.CDLL(None, use_errno=True).prctl(option, *words) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _library() -> Any:
    try:
        import pyseccomp  # looks for the library when it is imported
    except (RuntimeError, OSError) as error:
        raise HostFault(
            "Grading needs libseccomp, and there is no libseccomp.so.2 on this machine.",
            remedy="Install it: `apt install libseccomp2` (Debian, Ubuntu) or `dnf install libseccomp` (Fedora).",
            detail=str(error),
        ) from error
    return pyseccomp
