"""A box runs cells, answers requests, and can be used from anywhere."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pytest

from autograder.box.box import Box
from autograder.box.policy import Limits, Policy
from autograder.faults import HostFault, LimitFault, RaisedFault, TamperFault

Leftovers = Callable[[], set[str]]

pytestmark = pytest.mark.box


def test_cell_gives_its_outputs(shared_box: Box) -> None:
    """A cell that ends well has its output as nodes of a notebook."""
    done = shared_box.execute("print('hello'); 6 * 7", timeout=30)

    assert (done.status, done.stdout) == ("ok", "hello\n")
    assert [node["output_type"] for node in done.outputs] == ["stream", "execute_result"]
    assert done.outputs[1]["data"] == {"text/plain": "42"}


def test_failing_cell_gives_its_error(shared_box: Box) -> None:
    """A cell that raises tells the exception's class, message and traceback without colours, and the kernel lives."""
    done = shared_box.execute("def f():\n    return 1 / 0\nf()", timeout=30)

    assert (done.status, done.ename, done.evalue) == ("error", "ZeroDivisionError", "division by zero")
    assert "return 1 / 0" in done.traceback
    assert "\x1b" not in done.traceback
    assert shared_box.alive


def test_slow_cell_is_interrupted(shared_box: Box) -> None:
    """A cell that is too slow is interrupted, and the kernel keeps what was defined before."""
    done = shared_box.execute("kept = 1\nimport time\nprint('begun')\nwhile True: time.sleep(0.1)", timeout=1)

    assert (done.status, done.stdout) == ("timeout", "begun\n")
    assert shared_box.verdict is None
    assert shared_box.execute("print(kept)", timeout=30).stdout == "1\n"


def test_no_one_answers_input(shared_box: Box) -> None:
    """A cell that asks its reader for input fails at once."""
    assert shared_box.execute("input()", timeout=30).ename == "StdinNotImplementedError"


def test_notebook_idioms_work(shared_box: Box) -> None:
    """Top-level await, magics, shell escapes and processes work as in any notebook."""
    assert shared_box.execute("import asyncio\nawait asyncio.sleep(0)", timeout=30).status == "ok"
    assert shared_box.execute("%time 1", timeout=30).status == "ok"
    assert "from a shell" in shared_box.execute("!echo from a shell", timeout=30).stdout


def test_agent_answers(shared_box: Box) -> None:
    """A request comes back as the agent's answer, without the box's own nonce."""
    answer = shared_box.ask({"op": "environment"})

    assert set(answer.content) == {"python", "jax", "jaxlib", "numpy"}


def test_agent_reads_the_notebook(shared_box: Box) -> None:
    """The student agent finds what the cells defined."""
    shared_box.execute("def newton(a): raise ValueError('no')", timeout=30)

    assert shared_box.ask({"op": "lookup", "name": "newton"}).content["callable"] is True


def test_students_fault_is_raised(shared_box: Box) -> None:
    """An answer that reports a fault of the student's is raised as one."""
    shared_box.execute("def newton(a): raise ValueError('no')", timeout=30)
    request = {"op": "export", "name": "newton", "args": {"t": "tuple", "items": []}}

    with pytest.raises(RaisedFault):
        shared_box.ask(request)


def test_slow_request_is_interrupted(shared_box: Box) -> None:
    """A request that is not answered in time is a fault of the student's by its cause, and the box lives on."""
    shared_box.execute("import time\nclass Slow:\n    def __call__(self): time.sleep(60)\nslow = Slow()", timeout=30)
    arguments = {"args": {"t": "tuple", "items": []}, "kwargs": {"t": "dict", "items": []}}

    with pytest.raises(LimitFault) as caught:
        shared_box.ask({"op": "call", "name": "slow", "jit": False, **arguments}, timeout=1)

    assert caught.value.cause == "wall"
    assert shared_box.ask({"op": "environment"}).content["jax"]


def test_forged_answer_is_tampering(shared_box: Box) -> None:
    """A reply without the nonce of the request is no answer."""
    code = """
import autograder.box.kernel as k
kernel = get_ipython().kernel
def forged(stream, ident, parent):
    kernel.session.send(stream, "autograder_reply", {"nonce": "old", "value": 1}, parent, ident=ident)
kept = kernel.shell_handlers["autograder_request"]
kernel.shell_handlers["autograder_request"] = forged
"""
    assert shared_box.execute(code, timeout=30).status == "ok"
    try:
        with pytest.raises(TamperFault):
            shared_box.ask({"op": "environment"})
    finally:
        shared_box.execute("kernel.shell_handlers['autograder_request'] = kept", timeout=30)


def test_box_works_inside_a_running_loop(shared_box: Box) -> None:
    """A box may be used from inside a running event loop, as nbgrader's web page has one."""

    async def use() -> str:
        return shared_box.execute("print('inside')", timeout=30).stdout

    assert asyncio.run(use()) == "inside\n"


def test_threads_take_turns(shared_box: Box) -> None:
    """Two threads may use one box; each gets its own outputs."""
    seen: dict[int, str] = {}

    def use(number: int) -> None:
        seen[number] = shared_box.execute(f"print({number})", timeout=30).stdout

    threads = [threading.Thread(target=use, args=[number]) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == {0: "0\n", 1: "1\n", 2: "2\n"}


def test_nothing_stays_behind(shared_box: Box, policy: Policy, leftovers: Leftovers) -> None:
    """A second box works beside the first; closed, it leaves no process, folder, descriptor or control group."""
    before = leftovers()

    with Box("replay", policy=policy) as other:
        assert other.ask({"op": "environment"}).content["jax"]
        assert leftovers() > before
        assert shared_box.execute("print('first')", timeout=30).stdout == "first\n"

    assert leftovers() == before
    assert not other.alive
    assert other.verdict is None
    assert other.usage.cpu_s > 0
    assert other.usage.peak_mb > 5


@pytest.mark.parametrize("start", ["warm", "cold"])
def test_what_ran_until_the_end_was_used(policy: Policy, start: Literal["warm", "cold"]) -> None:
    """The CPU time of a box that is closed while its kernel lives is that kernel's."""
    with Box("student", policy=replace(policy, start=start)) as box:
        box.execute("import time\nend = time.process_time() + 1\nwhile time.process_time() < end: pass", timeout=30)

    assert box.usage.cpu_s > 1


def test_unsafe_box_works_too(limits: Limits, leftovers: Leftovers) -> None:
    """Without a sandbox the same kernel runs under the same limits, in a folder of its own that goes with it."""
    before = leftovers()

    with Box("student", policy=Policy(limits=limits, sandbox="none")) as box:
        assert box.execute("import os; print(os.getcwd().endswith('/scratch/work'))", timeout=30).stdout == "True\n"
        assert box.ask({"op": "environment"}).content["jax"]

    assert leftovers() == before


def test_broken_agent_is_the_hosts_fault(policy: Policy, leftovers: Leftovers) -> None:
    """A kernel that cannot start says why to the staff, and leaves nothing behind."""
    before = leftovers()

    with pytest.raises(HostFault) as caught:
        Box("student", policy=policy, agent="autograder.no_such_module:Agent").start()

    assert "no_such_module" in caught.value.detail
    assert leftovers() == before
