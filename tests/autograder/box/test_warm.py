"""Boxes are forked from one warm zygote, which all workers share; it is watched, replaced and never relied on."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autograder.box import process, warm
from autograder.box.box import Box
from autograder.box.handover import anonymous_file
from autograder.box.policy import Policy
from autograder.faults import HostFault

pytestmark = pytest.mark.box


@pytest.fixture
def nursery(monkeypatch: pytest.MonkeyPatch) -> Iterator[warm.Nursery]:
    """A nursery of this test's own, closed afterwards."""
    fresh = warm.Nursery()
    monkeypatch.setattr(warm, "_NURSERY", fresh)
    yield fresh
    fresh.close()


def process_of(box: Box) -> warm.WarmProcess:
    """Returns the process behind a warm box."""
    assert box._conversation is not None
    assert box._conversation.provisioner is not None
    found = box._conversation.provisioner._process
    assert isinstance(found, warm.WarmProcess)
    return found


def test_boxes_of_one_process_share_a_zygote(policy: Policy) -> None:
    """Two boxes at once are children of one zygote, and neither of them is the other."""
    zygote = warm.zygote_for(policy)
    with Box("student", policy=policy) as first, Box("student", policy=policy) as second:
        assert (first.warm, second.warm) == (True, True)
        first.execute("here = 1", timeout=20)
        assert second.execute("here", timeout=20).ename == "NameError"
    assert warm.zygote_for(policy) is zygote


def test_terminals_of_a_box_are_in_no_other(policy: Policy) -> None:
    """What a box says to a terminal, which it may open to everybody, reaches no box beside it, and works in it."""
    say = "import os; inner, outer = os.openpty(); os.chmod(os.ttyname(outer), 0o666); print(os.listdir('/dev/pts'))"
    with Box("student", policy=policy) as first, Box("student", policy=policy) as second:
        assert "'0'" in first.execute(say, timeout=20).stdout
        assert second.execute("import os; print(os.listdir('/dev/pts'))", timeout=20).stdout == "['ptmx']\n"


def test_box_ends_with_the_process_that_asked_for_it(policy: Policy) -> None:
    """Where one of the graders that share a zygote is gone its box ends, and no other does."""
    with Box("student", policy=policy) as box, Box("student", policy=policy) as other:
        abandoned = process_of(box)
        init = os.dup(abandoned._init)
        try:
            abandoned._report.shutdown(socket.SHUT_RDWR)
            assert select.select([init], [], [], 20)[0]
        finally:
            os.close(init)
        assert other.execute("1 + 1", timeout=20).status == "ok"
    zygote = warm.zygote_for(policy)
    assert isinstance(zygote, warm.Zygote)
    assert zygote.alive


def test_zygote_that_was_killed_is_replaced(nursery: warm.Nursery, policy: Policy) -> None:
    """With a zygote its boxes end, which is the host's fault and no one's mark; the next box comes from a new one."""
    zygote = nursery.zygote_for(policy)
    assert isinstance(zygote, warm.Zygote)
    with Box("student", policy=policy) as box:
        (inner,) = Path(f"/proc/{zygote.pid}/task/{zygote.pid}/children").read_text().split()
        os.kill(int(inner), signal.SIGKILL)
        with pytest.raises(HostFault, match="ended, and this sandbox with it"):
            box.execute("import time; time.sleep(60)", timeout=20)
        with pytest.raises(HostFault, match="ended, and this sandbox with it"):
            box.ask({"op": "environment"})
    with Box("student", policy=policy) as box:
        assert box.warm
        assert box.execute("1 + 1", timeout=20).status == "ok"


def test_grader_that_ends_while_it_asks_costs_the_others_nothing(nursery: warm.Nursery, policy: Policy) -> None:
    """A zygote that cannot tell a grader of its box goes on for the other graders, and the box ends."""
    zygote = nursery.zygote_for(policy)
    assert isinstance(zygote, warm.Zygote)
    with Box("student", policy=policy) as others:
        _ask_and_be_gone(zygote)
        assert others.execute("1 + 1", timeout=20).status == "ok"
        with Box("student", policy=policy) as next_one:
            assert next_one.execute("1 + 1", timeout=20).status == "ok"
            assert nursery.zygote_for(policy) is zygote


def test_threads_that_wait_for_one_zygote_hear_the_same(monkeypatch: pytest.MonkeyPatch, policy: Policy) -> None:
    """Where a zygote does not work, every thread that waits for it hears so, and starts its boxes cold."""

    class Unfit:
        alive = True
        waited = 0

        def __init__(self, policy: Policy) -> None: ...

        def wait_ready(self) -> None:
            self.waited += 1
            raise HostFault("No zygote here.") if self.waited == 1 else OSError("it was closed")

    class Together(warm.Nursery):
        both = threading.Barrier(2)

        def begin(self, policy: Policy) -> warm.Zygote | HostFault:
            found = super().begin(policy)
            self.both.wait(20)
            return found

    monkeypatch.setattr(warm, "Zygote", Unfit)
    nursery = Together()
    with ThreadPoolExecutor(2) as threads:
        heard = list(threads.map(nursery.zygote_for, [policy, policy]))

    assert [str(fault) for fault in heard] == ["No zygote here."] * 2


def test_box_that_ended_before_it_began_has_no_number() -> None:
    """The number of a process that has ended is an error of the operating system, as that of a lost process is."""
    with subprocess.Popen(["true"]) as ended:
        descriptor = os.pidfd_open(ended.pid)
        ended.wait()
    try:
        with pytest.raises(ProcessLookupError):
            warm._number_of(descriptor)
    finally:
        os.close(descriptor)


def test_host_without_a_zygote_starts_boxes_cold(monkeypatch: pytest.MonkeyPatch, policy: Policy) -> None:
    """Where no zygote can be had a box starts cold and says so, unless a warm one was asked for."""
    monkeypatch.setattr(warm, "zygote_for", lambda policy: HostFault("No zygote here."))
    with Box("replay", policy=policy) as box:
        assert not box.warm
        assert box.ask({"op": "environment"}).content["python"]
    with pytest.raises(HostFault, match="No zygote here"):
        Box("replay", policy=Policy(limits=policy.limits, start="warm")).start()


def test_zygote_that_dies_meanwhile_costs_no_box(
    nursery: warm.Nursery, monkeypatch: pytest.MonkeyPatch, policy: Policy
) -> None:
    """Where the zygote ends between being found and being asked, the box starts cold."""
    zygote = nursery.zygote_for(policy)
    assert isinstance(zygote, warm.Zygote)
    monkeypatch.setattr(warm, "zygote_for", lambda policy: zygote)
    nursery.close()
    monkeypatch.setattr(warm.Zygote, "alive", False)
    with Box("replay", policy=policy) as box:
        assert not box.warm


def test_cold_start_can_be_asked_for(monkeypatch: pytest.MonkeyPatch, policy: Policy) -> None:
    """A policy that says cold never asks for a zygote."""
    monkeypatch.setattr(process.warm, "zygote_for", lambda policy: pytest.fail("a zygote was asked for"))
    with Box("replay", policy=Policy(limits=policy.limits, start="cold")) as box:
        assert not box.warm


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        ("threads", "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()"),
        ("threads", "jax.devices()"),  # a backend brings some
        ("backend", "from jax._src import xla_bridge; xla_bridge._backends['cpu'] = object()"),
    ],
)
def test_zygote_that_cannot_be_forked_says_so(trouble: str, code: str) -> None:
    """A process with a second thread, or with a backend of JAX, calls itself unfit for forking."""
    program = (
        f"import jax\nfrom autograder.box.zygote import not_to_be_forked\n{code}\nprint(not_to_be_forked(), flush=True)"
    )
    program += "\nimport os; os._exit(0)"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "JAX_PLATFORMS": "cpu"}

    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        stdin=subprocess.PIPE,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.stdout.strip(), done.stderr
    assert trouble in done.stdout


def test_nothing_outlives_a_grader_that_is_killed(tmp_path: Path) -> None:
    """When a grading process is killed, its zygote and every box of it end."""
    code = """
import sys, time
from autograder.box import warm
from autograder.box.box import Box
from autograder.box.policy import Policy
box = Box("student", policy=Policy(start="warm"))
box.start()
print(warm.zygote_for(Policy()).pid, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as grader:
        assert grader.stdout is not None
        zygote = os.pidfd_open(int(grader.stdout.readline()))
        grader.kill()
    try:
        _until_ended(zygote)
    finally:
        os.close(zygote)


def _ask_and_be_gone(zygote: warm.Zygote) -> None:
    """Asks for a box as a grader does that is killed before it hears of it."""
    report, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    hold, release = os.pipe()
    handed = [anonymous_file("handover"), theirs.fileno(), hold, anonymous_file("stderr")]
    report.close()
    with theirs:
        socket.send_fds(zygote._control, [json.dumps(handed).encode()], handed)
    for descriptor in (handed[0], hold, handed[3], release):
        os.close(descriptor)


def _until_ended(process_descriptor: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            signal.pidfd_send_signal(process_descriptor, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("the zygote outlived its grader")
