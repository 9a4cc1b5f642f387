"""The first process of a box starts the kernel, reaps what is left, and ends with the kernel.

Started as `python -m autograder.box.init <descriptor of a handover>` in a cold box, where it keeps the user that
started the box, so that it dies with bubblewrap: a process that changes its user is no longer told. A warm box forks it
from the zygote, with which it dies. With the first process of a namespace the operating system ends all others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn

_FIRST, _LAST = 3, 4096


def main() -> None:
    """Runs the kernel in a child, and ends as the child ended."""
    run_first(_confined_kernel)


def run_first(serve: Callable[[], None]) -> NoReturn:
    """Calls a function in a child, waits, and ends this process as the child ended.

    Args:
        serve: Runs the kernel.
    """
    child = os.fork()
    if child == 0:
        os.setsid()  # an interrupt goes to the whole group of the kernel
        serve()
        os._exit(0)
    os.closerange(_FIRST, _LAST)  # the kernel's alone
    while True:
        ended, status = os.wait()
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _confined_kernel() -> None:
    from autograder.box.kernel import main as serve  # imports Jupyter, in the child alone

    serve(int(sys.argv[1]))


if __name__ == "__main__":
    main()
