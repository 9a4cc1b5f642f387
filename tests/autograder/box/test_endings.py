"""Whatever a student's code does, its box ends or lives on within its limits, and tells the cause."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.box.box import Box
from autograder.box.policy import Limits, Policy
from autograder.faults import LimitFault

Leftovers = Callable[[], set[str]]

pytestmark = pytest.mark.box

ENDLESS_LOOP = """
import jax
jax.jit(lambda: jax.lax.while_loop(lambda x: x > 0, lambda x: x + 1.0, 1.0))().block_until_ready()
"""
SWALLOWED = """
import time
while True:
    try:
        time.sleep(60)
    except KeyboardInterrupt:
        pass
"""
FORK_BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
MEMORY_BOMB = """
kept = []
while True:
    kept.append(bytearray(1 << 24))
"""
OWN_MESSAGE = """
kernel = get_ipython().kernel
kernel.session.send(kernel.iopub_thread, "stream", {"name": "stdout", "text": "x" * (3 << 20)}, kernel.get_parent())
import time; time.sleep(60)
"""
ENDLESS_MESSAGE = """
import os, socket, threading, time
PART = bytes([3]) + (1 << 20).to_bytes(8, "big") + bytes(1 << 20)  # of a message of ZeroMQ; more parts follow
def flood(connection):
    while True:
        connection.sendall(PART)
for name in os.listdir("/proc/self/fd"):
    try:
        connection = socket.socket(fileno=os.dup(int(name)))
        connection.getpeername()
        connection.setblocking(True)
    except OSError:
        continue
    threading.Thread(target=flood, args=[connection], daemon=True).start()
time.sleep(60)
"""
SLOW_END = """
import os, socket, time
for name in os.listdir("/proc/self/fd"):
    try:
        connection = socket.socket(fileno=os.dup(int(name)))
        connection.getpeername()
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        continue
time.sleep(2)
os._exit(0)
"""
EXIT_IN_THREAD = """
import os, threading, time
threading.Thread(target=lambda: os._exit(0)).start()
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        pytest.param(ENDLESS_LOOP, "wall", id="endless compiled loop"),
        pytest.param(SWALLOWED, "wall", id="swallowed interrupt"),
        pytest.param(FORK_BOMB, "wall or memory", id="fork bomb"),
        pytest.param("for _ in range(1000): print('x' * 1_000_000)", "output", id="one GB printed"),
        pytest.param("!yes | head -c 1000000000", "output", id="one GB from a process"),
        pytest.param(ENDLESS_MESSAGE, "output", id="one message without an end"),
        pytest.param(OWN_MESSAGE, "output", id="one message that is too large"),
        pytest.param("import os; os._exit(0)", "exit", id="exit"),
        pytest.param(EXIT_IN_THREAD, "exit", id="exit in a thread"),
        pytest.param(SLOW_END, "exit", id="exit long after hanging up"),
        pytest.param("import ctypes; ctypes.string_at(0)", "crash", id="segmentation fault"),
        pytest.param("import os; os.kill(os.getpid(), 9)", "crash", id="killed by itself"),
        pytest.param("import os; os.closerange(3, 1000)", "crash", id="closed descriptors"),
    ],
)
def test_end_has_a_cause(code: str, cause: str, policy: Policy, leftovers: Leftovers) -> None:
    """A box that ends names the cause, fails what is asked afterwards by the same, and leaves nothing behind."""
    before = leftovers()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with Box("student", policy=policy) as box:
        done = box.execute(code, timeout=1 if cause.startswith("wall") else 60)

        assert done.status == "died"
        assert not box.alive
        assert box.verdict is not None
        ended = box.verdict.cause
        assert ended in cause.split(" or ")
        with pytest.raises(LimitFault) as caught:
            box.ask({"op": "environment"})
        assert (caught.value.cause, caught.value.message) == (ended, box.verdict.message)
        assert box.execute("1", timeout=1).status == "died"

    assert box.verdict.cause == ended
    assert leftovers() == before
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 200 * 1024  # KiB


def test_memory_is_bounded(policy: Policy, leftovers: Leftovers) -> None:
    """A memory bomb ends its box by the group's limit, or its cell by the process's; it never takes more."""
    before = leftovers()

    with Box("student", policy=policy) as box:
        done = box.execute(MEMORY_BOMB, timeout=60)
        assert done.ename == "MemoryError" or (box.verdict and box.verdict.cause == "memory")

    assert box.usage.peak_mb < policy.limits.memory_mb + 1025
    assert leftovers() == before


def test_cpu_time_is_bounded(limits: Limits) -> None:
    """A box whose process has used its CPU time ends by that cause."""
    with Box("student", policy=Policy(limits=replace(limits, cpu_s=2))) as box:
        assert box.execute("while True: pass", timeout=60).status == "died"

    assert box.verdict is not None
    assert box.verdict.cause == "cpu"


def test_life_of_a_box_is_bounded(limits: Limits) -> None:
    """A box ends when its wall time is over, whoever waits for it and however long."""
    with Box("student", policy=Policy(limits=replace(limits, wall_s=12))) as box:
        assert box.execute(SWALLOWED, timeout=60).status == "died"

    assert box.verdict is not None
    assert box.verdict.cause == "wall"


def test_harmless_ends_are_borne(policy: Policy, leftovers: Leftovers) -> None:
    """exit(), sys.exit, a signal to all processes, and a daemon left behind do not end a box."""
    before = leftovers()

    with Box("student", policy=policy) as box:
        assert box.execute("exit()\nquit()\nkept = 1", timeout=30).status == "ok"
        time.sleep(0.3)  # IPython's own exit stops the kernel after a tenth of a second
        assert box.ask({"op": "value", "name": "kept"}).content == {"value": 1}
        assert box.execute("import sys; sys.exit(1)", timeout=30).ename == "SystemExit"
        assert box.execute("import os; os.kill(-1, 9)", timeout=30).ename in {"", "ProcessLookupError"}
        daemon = "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)"
        assert box.execute(daemon, timeout=30).status == "ok"
        assert box.ask({"op": "environment"}).content["jax"]

    assert box.verdict is None
    assert leftovers() == before


def test_closing_while_code_runs_ends_it(policy: Policy, leftovers: Leftovers) -> None:
    """A box that is closed by another thread while it runs a cell is gone, and the cell has died."""
    before = leftovers()
    box = Box("student", policy=policy)
    box.start()
    timer = threading.Timer(1.0, box.close)
    timer.start()

    done = box.execute("import time; time.sleep(60)", timeout=60)
    timer.join()

    assert done.status == "died"
    assert leftovers() == before


def test_killed_grader_takes_its_boxes_along(tmp_path: Path) -> None:
    """When the grader is killed its boxes end, whatever they were doing."""
    grader = """
import os, signal
from autograder.box.box import Box
from autograder.box.policy import Policy
box = Box("student", policy=Policy())
box.start()
box.execute("import subprocess; subprocess.Popen(['sleep', '987654'], start_new_session=True)", timeout=30)
os.kill(os.getpid(), signal.SIGKILL)
"""
    variables = {"TMPDIR": str(tmp_path), "PATH": os.environ["PATH"]}

    done = subprocess.run([sys.executable, "-c", grader], env=variables, timeout=120, check=False)

    assert done.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 30
    while processes("987654") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes("987654") == []


def processes(word: str) -> list[str]:
    """Lists the command lines on this machine that have a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if word.encode() in words:
                found.append(path.parent.name)
    return found
