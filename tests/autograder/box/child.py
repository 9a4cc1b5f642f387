"""Runs code in a process of its own that first confines itself, and reads what the code found."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

PRELUDE = """
import ctypes, errno, json, os, sys
from pathlib import Path
from autograder.box import landlock, seccomp

libc = ctypes.CDLL(None, use_errno=True)

def call(number, *arguments):
    "Makes a system call; returns its result, or the name of its error."
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    return result if result != -1 else errno.errorcode[ctypes.get_errno()]

def attempt(work, *arguments, **options):
    "Returns `done`, or the name of the error."
    try:
        work(*arguments, **options)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"

def report(found):
    print(json.dumps(found), flush=True)
"""


def start_child(code: str, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs code after `PRELUDE`, with arguments in `sys.argv[1:]`, and waits for its end."""
    command = [sys.executable, "-c", PRELUDE + code, *map(str, arguments)]
    environment = {"PATH": "/usr/bin:/bin", **variables}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, start_new_session=True, timeout=120, check=False
    )


def run_child(code: str, *arguments: object, **variables: str) -> Any:
    """Runs code that ends well, and returns what it reported last."""
    done = start_child(code, *arguments, **variables)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])
