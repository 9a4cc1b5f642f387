"""The zygote: one warm process inside bubblewrap that has imported what kernels need, from which boxes are forked.

Started as `python -m autograder.box.zygote <descriptor of a socket> inner|outer`; `inner` where boxes need a user
namespace of their own. It runs one thread and no code of a student's; each child walls itself in, by
`autograder.box.nest`, before it runs any. JAX must not have made a backend before a fork: its threads would not come
along, and the child's first compilation would wait for them for ever.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from functools import partial
from typing import Any, NoReturn

import jax
import numpy

from autograder.agent import replay, student  # noqa: F401  # so that kernels find them imported
from autograder.box import nest
from autograder.box.confine import confine
from autograder.box.handover import READY, STARTED, Handover
from autograder.box.init import run_first
from autograder.box.kernel import serve as serve_kernel
from autograder.box.policy import Limits

PRELOADED = (
    *("IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect", "IPython.extensions.storemagic"),
    *("ipykernel.debugger", "tornado.platform.asyncio", "tornado.queues", "tornado.locks"),
    *("faulthandler", "pdb", "pstats", "encodings.unicode_escape"),
    *("autograder.selfcheck", "autograder.suite", "autograder.tools"),
    *("jax.experimental.multihost_utils", "jax.export", "jaxlib.mlir.dialects.mhlo"),
    *("jaxlib.lapack", "scipy.linalg", "matplotlib.pyplot"),
)
"""What kernels import later, in their first cells or requests; what is not installed is left out."""

_MESSAGE = 2**16
_DESCRIPTORS = 32
_STDERR = 2


def main() -> None:
    """Loads, says that it is ready, and forks a box for each request until the grader is gone."""
    control = socket.socket(fileno=int(sys.argv[1]))
    warm_up()
    if trouble := not_to_be_forked() or trial(inner_user=sys.argv[2] == "inner"):
        control.send(trouble.encode())
        return
    control.send(READY)
    serve(control)


def warm_up() -> None:
    """Imports what kernels need, and puts what has been made so far out of the garbage collector's reach."""
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _trace_once()
    gc.collect()
    gc.freeze()


def _trace_once() -> None:
    """Traces a small program, so that children find warm what every first trace fills: tracing needs no backend."""
    number = jax.ShapeDtypeStruct((), "float32")

    def program(x: Any) -> Any:
        doubled = jax.lax.while_loop(lambda y: y < 8, lambda y: 2 * y, x)
        return jax.lax.cond(x > 0, lambda y: y + 1, lambda y: jax.numpy.sin(y) / 2, doubled)

    jax.jit(program).trace(number)
    jax.clear_caches()


def not_to_be_forked() -> str:
    """Returns why this process cannot be forked safely; empty if it can."""
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        return f"it has {threads} threads"
    bridge = importlib.import_module("jax._src.xla_bridge")
    if getattr(bridge, "_backends", None) != {}:
        return "JAX has made a backend"
    return ""


def trial(*, inner_user: bool) -> str:
    """Makes what is around a box once, and returns why that failed; empty if it worked."""
    home = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    said, say = os.pipe()
    try:
        nest.next_child_in_new_namespace()
        if os.fork() == 0:
            try:
                nest.enter(Limits(), inner_user=inner_user)
            except OSError as error:
                os.write(say, f"a sandbox inside its own could not be made: {error}".encode())
            finally:
                os._exit(0)
        os.wait()
        nest.children_in(home)
        os.close(say)
        return os.read(said, _MESSAGE).decode()
    except OSError as error:
        return f"it may make no namespaces: {error}"
    finally:
        os.close(said)
        os.close(home)


def serve(control: socket.socket) -> None:
    """Forks a box for each request, tells how each box ended, and ends the box of a grader that is gone.

    A request is a JSON list of descriptors' numbers, as the handover names them, with the descriptors themselves: the
    handover, a socket for reports, a pipe that holds the box until the grader lets it go, its stderr, and the rest.
    """
    woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    home = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    reports: dict[int, socket.socket] = {}
    abandoned: set[int] = set()
    while True:
        listening = {report.fileno(): pid for pid, report in reports.items() if pid not in abandoned}
        ready, _, _ = select.select([control.fileno(), woken, *listening], [], [])
        for descriptor in listening.keys() & set(ready):  # a grader says nothing more, so it has closed its end
            abandoned.add(listening[descriptor])
            with contextlib.suppress(ProcessLookupError):
                os.kill(listening[descriptor], signal.SIGKILL)
        if woken in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(woken, 4096)
            _report_ended(reports)
            abandoned &= reports.keys()
        if control.fileno() in ready:
            message, descriptors, _, _ = socket.recv_fds(control, _MESSAGE, _DESCRIPTORS)
            if not message:
                return
            numbers = json.loads(message)
            if len(numbers) == len(descriptors):
                _fork(dict(zip(numbers, descriptors, strict=True)), home=home, reports=reports)
            else:  # this process has too many open files; the grader sees its socket closed
                for descriptor in descriptors:
                    os.close(descriptor)


def _fork(descriptors: dict[int, int], *, home: int, reports: dict[int, socket.socket]) -> None:
    """Forks the first process of a box, in a process namespace of its own, and sends a descriptor of it."""
    report = socket.socket(fileno=list(descriptors.values())[1])
    try:
        nest.next_child_in_new_namespace()
        try:
            pid = os.fork()
            if pid == 0:
                _become_box(descriptors)
        finally:
            nest.children_in(home)
    except OSError as error:
        with report, contextlib.suppress(OSError):  # nobody is left to be told
            report.send(f"{error}".encode())
    else:
        reports[pid] = report
        process = os.pidfd_open(pid)
        with contextlib.suppress(OSError):  # a grader that is gone has closed its end, by which `serve` ends the box
            socket.send_fds(report, [STARTED], [process])
        os.close(process)
    finally:
        for number, descriptor in enumerate(descriptors.values()):
            if number != 1:
                os.close(descriptor)


def _report_ended(reports: dict[int, socket.socket]) -> None:
    while True:
        try:
            pid, status, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        if report := reports.pop(pid, None):
            told = {"status": os.waitstatus_to_exitcode(status), "cpu_s": used.ru_utime + used.ru_stime}
            with contextlib.suppress(OSError):  # nobody is left to be told
                report.send(json.dumps({**told, "peak_mb": used.ru_maxrss / 1024}).encode())
            report.close()


def _become_box(descriptors: dict[int, int]) -> NoReturn:
    """Turns this forked process into the first process of a box."""
    told, _, hold, complaints, *_ = descriptors.values()
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(complaints, _STDERR)
        handover = Handover.from_file(told)
        handover = handover.moved({number: descriptors[number] for number in handover.descriptors})
        _close_all_but({hold, complaints, *handover.descriptors})
        nest.enter(handover.limits, inner_user=handover.user is None)
        if not os.read(hold, 1):  # until this process is in its control group
            raise EOFError("The grader let go of the box before it could begin.")
        os.close(hold)
        confine(handover)
        numpy.random.seed()  # it would be the same in every child
        run_first(partial(serve_kernel, handover))
    except BaseException:  # not to stderr: the kernel may have turned that into a stream of its own
        os.write(complaints, traceback.format_exc().encode(errors="replace"))
    finally:
        os._exit(1)


def _close_all_but(kept: set[int]) -> None:
    before = _STDERR + 1
    for descriptor in sorted(kept):
        os.closerange(before, descriptor)
        before = descriptor + 1
    os.closerange(before, 4096)


if __name__ == "__main__":
    main()
