"""The box as everyone uses it: synchronous, from any thread, also from inside a running event loop."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from nbformat import NotebookNode

from autograder.box.conversation import Conversation
from autograder.box.policy import Policy
from autograder.box.verdict import Usage, Verdict, verdict_of
from autograder.faults import HostFault, LimitFault, TamperFault
from autograder.link import Answer
from autograder.wire import check_fault

_TEXT = 20_000
"""Characters kept of a traceback or a message."""

Role = Literal["student", "replay"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CellRun:
    """What came of running one cell.

    Attributes:
        status: `ok`; `error`: an exception; `timeout`: interrupted at the deadline, and the kernel lives on; `died`:
            the kernel ended, and the box's verdict says why.
        ename: Class of the exception, or an empty string.
        evalue: Its message, bounded.
        traceback: Its traceback as plain text, bounded.
        stdout: What was printed, bounded.
        outputs: All outputs as nodes of a notebook, bounded; what a hostile kernel sent, well-formed but not true.
    """

    status: Literal["ok", "error", "timeout", "died"]
    ename: str = ""
    evalue: str = ""
    traceback: str = ""
    stdout: str = ""
    outputs: tuple[NotebookNode, ...] = ()


class Box:
    """One kernel in one sandbox, started, used and thrown away. It is a `autograder.link.Link` by `ask`.

    Args:
        role: `student` runs a notebook and answers about it; `replay` runs exported programs.
        policy: What the box may use and see.
        files: Regular files that are copied into the box's working directory, by the name that each has there.
        agent: Import path of another agent's class, for tests.
    """

    def __init__(self, role: Role, *, policy: Policy, files: Mapping[str, Path] | None = None, agent: str = "") -> None:
        self.policy = policy
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._files = files or {}
        self._agent = agent
        self._role = role
        self._conversation: Conversation | None = None
        self._verdict: Verdict | None = None
        self._usage = Usage(cpu_s=0.0, peak_mb=0.0)
        self.spent_s = 0.0
        """Seconds that its cells and requests took together, as a fair clock counts."""

    def start(self) -> None:
        """Starts the kernel and waits until it answers.

        Raises:
            HostFault: It could not be started.
            LimitFault: The files do not fit into the box.
        """
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"box-{self._role}", daemon=True)
        self._thread.start()
        try:
            self._run(self._start())
        except BaseException as error:
            self.close()
            if isinstance(error, OSError | RuntimeError):
                raise HostFault("A sandbox could not be started.", detail=repr(error)) from error
            raise

    def execute(self, code: str, *, timeout: float) -> CellRun:
        """Runs code as a cell of a notebook.

        Args:
            code: Source of the cell; magics and shell escapes work as in a notebook.
            timeout: Seconds by a fair clock after which the cell is interrupted, and killed if that does not help.

        Raises:
            HostFault: The host ended the box.
        """
        if not self.alive:
            self._check_host()
            return CellRun("died")
        settled, exchange = self._run(self._talk().execute(code, timeout))
        self.spent_s += exchange.seconds
        self._check_host()
        shown = CellRun("ok", stdout=exchange.outputs.stdout, outputs=tuple(exchange.outputs.nodes))
        if settled != "answered":
            return replace(shown, status="timeout" if settled == "late" else "died")
        content = exchange.reply.result().get("content")
        content = content if isinstance(content, dict) else {}
        if content.get("status") == "ok":
            return shown
        trace = content.get("traceback")
        return replace(
            shown,
            status="error",
            ename=_text(content.get("ename"))[:200],
            evalue=_text(content.get("evalue")),
            traceback=_text("\n".join(map(str, trace)) if isinstance(trace, list) else ""),
        )

    def ask(self, content: Mapping[str, Any], buffers: Sequence[bytes] = (), *, timeout: float | None = None) -> Answer:
        """Sends a request to the agent and returns its answer; see `autograder.link.Link.ask`."""
        if not self.alive:
            raise self._ended()
        seconds = self.policy.limits.request_s if timeout is None else timeout
        nonce = secrets.token_hex(16)
        request = self._talk().request("autograder_request", {**content, "nonce": nonce}, buffers, seconds)
        settled, exchange = self._run(request)
        self.spent_s += exchange.seconds
        if settled == "late":
            message = f"The code did not come to an end within {seconds:g} seconds."
            raise LimitFault(message, cause="wall", remedy="Look for a loop that does not end.")
        if settled == "died":
            raise self._ended()
        answer = _answer(exchange.reply.result(), nonce)
        check_fault(answer.content, name=str(content.get("name", "")))
        return answer

    @property
    def alive(self) -> bool:
        """Whether the kernel runs."""
        provisioner = self._conversation.provisioner if self._conversation else None
        return provisioner is not None and provisioner.has_process and provisioner.end is None

    @property
    def warm(self) -> bool:
        """Whether the box was forked from a zygote; false of one that does not run."""
        provisioner = self._conversation.provisioner if self._conversation else None
        return provisioner is not None and provisioner.warm

    @property
    def verdict(self) -> Verdict | None:
        """Why the kernel ended; `None` while it runs, and when it was simply closed."""
        provisioner = self._conversation.provisioner if self._conversation else None
        return provisioner.verdict if provisioner else self._verdict

    @property
    def usage(self) -> Usage:
        """What the box used, once it has been closed; nothing before."""
        return self._usage

    def close(self) -> None:
        """Ends the box and leaves nothing behind; may be called more than once."""
        if self._loop is None or self._thread is None:
            return
        try:
            if self._conversation:
                self._run(self._close(self._conversation))
        finally:
            self._conversation = None
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _start(self) -> None:
        self._conversation = Conversation(self._role, policy=self.policy, files=self._files, agent=self._agent)
        await self._conversation.start()

    async def _close(self, conversation: Conversation) -> None:
        provisioner = conversation.provisioner
        if provisioner:
            await provisioner.kill()
            self._verdict = provisioner.verdict
            self._usage = provisioner.usage or self._usage
        await conversation.close()

    def _talk(self) -> Conversation:
        assert self._conversation is not None
        return self._conversation

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _check_host(self) -> None:
        """Raises `HostFault` where the host ended the box: whoever is graded has no part in that."""
        provisioner = self._conversation.provisioner if self._conversation else None
        end = provisioner.end if provisioner else None
        if end is not None and self.verdict is None and (message := end.of_host(self.policy.limits)):
            raise HostFault(message, remedy="See whether this machine lacks memory, and grade the submission again.")

    def _ended(self) -> LimitFault:
        self._check_host()
        verdict = self.verdict or verdict_of("exit", self.policy.limits)
        return LimitFault(verdict.message, cause=verdict.cause)


def _answer(message: Mapping[str, Any], nonce: str) -> Answer:
    """Reads a reply as what it may be: anything at all."""
    content = message.get("content")
    buffers = message.get("buffers", ())
    if (
        message.get("msg_type") == "autograder_reply"
        and isinstance(content, dict)
        and content.pop("nonce", "") == nonce
    ):
        return Answer(content, tuple(bytes(part) for part in buffers))
    raise TamperFault("The kernel's answer is not the answer to what it was asked.", detail=_told(message))


def _told(message: Mapping[str, Any]) -> str:
    try:
        return repr(message)[:_TEXT]
    except RecursionError:
        return "It is nested too deeply to be shown."


def _text(value: object) -> str:
    return value[:_TEXT] if isinstance(value, str) else ""
