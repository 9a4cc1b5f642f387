"""What every attack has at hand, run as a cell in the attacker's box; `HINTS` is more than an attacker would know."""

# ruff: noqa: F821  # the capital names are set before

import ctypes
import errno
import os
import re

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    """Makes a system call, by name or number; returns its result, or minus the number of its error."""
    number = HINTS["calls"].get(name, -1) if isinstance(name, str) else name
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    return result if result != -1 else -ctypes.get_errno()


def granted(what):
    """Says what the attacker was granted that nobody else could see."""
    print("GRANTED:", what)


def try_call(name, *arguments):
    """Makes a system call that must be refused."""
    if (result := call(name, *arguments)) >= 0:
        granted(f"{name} returned {result}")
    return result


def attempt(work, *arguments, **options):
    """Calls a function; returns what it returned, or `None` if the system refused."""
    try:
        return work(*arguments, **options)
    except (OSError, ValueError):
        return None


def show(data):
    """Prints the secrets that some data hold."""
    data = data or b""
    for found in sorted(set(re.findall(rb"secret-[0-9a-f]{16}", data if isinstance(data, bytes) else data.encode()))):
        print(found.decode())


def read(path, size=1 << 20):
    """Reads the beginning of a file; nothing if that is refused."""
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except (OSError, ValueError):
        return b""


def targets():
    """Lists the numbers of processes to attack; in a box also those that can be seen, in whatever order."""
    seen = [int(name) for name in os.listdir("/proc") if name.isdigit()] if HINTS["boxed"] else []
    return [pid for pid in dict.fromkeys([*HINTS["pids"], *seen]) if pid != os.getpid()]


def in_child(work):
    """Runs a function in a child, prints what it printed by `os.write(1, ...)`, and returns how it ended."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(into, 1)
        try:
            work(lambda what: os.write(1, f"GRANTED: {what}\n".encode()))
        finally:
            os._exit(0)
    os.close(into)
    with open(out) as file:
        print(file.read())
    return os.waitpid(child, 0)[1]


def error(result):
    """Names the error of a system call."""
    return errno.errorcode.get(-result, str(result))
