"""The program that runs inside a box: an IPython kernel that also answers requests to an agent.

Started by `autograder.box.init`, or as `python -m autograder.box.kernel <descriptor of a handover>` without a sandbox.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

from autograder import __version__
from autograder.box.confine import confine
from autograder.box.handover import Handover
from autograder.wire import fault_form, raised

sys.modules["debugpy"] = None  # type: ignore[assignment]  # nobody debugs here: saves its threads, sockets and 100 modules

import zmq  # noqa: E402
from ipykernel import ipkernel  # noqa: E402
from ipykernel.iostream import IOPubThread, OutStream  # noqa: E402
from ipykernel.ipkernel import IPythonKernel  # noqa: E402
from ipykernel.kernelapp import IPKernelApp  # noqa: E402
from ipykernel.kernelbase import Kernel  # noqa: E402
from ipykernel.zmqshell import ZMQInteractiveShell  # noqa: E402
from jupyter_client.connect import KernelConnectionInfo  # noqa: E402
from traitlets import Instance, Type  # noqa: E402
from traitlets.config import Config  # noqa: E402

REQUEST, REPLY = "autograder_request", "autograder_reply"
_PIECE = 2**18
"""Characters of output that are sent at once."""


class BoxShell(ZMQInteractiveShell):
    """A shell that outlives `exit()` in a cell: what the notebook has defined is still to be asked for.

    So it outlives a cell that changes `builtins`: they are put back, since neither the kernel nor JAX can do without.
    """

    def init_builtins(self) -> None:
        """Remembers the builtins, IPython's own among them."""
        super().init_builtins()  # type: ignore[no-untyped-call]  # IPython's
        self._builtins = dict(vars(builtins))

    async def run_code(self, code_obj: Any, result: Any = None, *, async_: bool = False) -> bool:
        """Runs a piece of a cell, and puts the builtins back at once."""
        try:
            failed: bool = await super().run_code(  # type: ignore[no-untyped-call]  # IPython's
                code_obj, result, async_=async_
            )
            return failed
        finally:
            vars(builtins).update(self._builtins)

    def ask_exit(self) -> None:
        """Ends nothing."""


@contextmanager
def _no_list_of_modules() -> Iterator[None]:
    """Hides the modules from ipykernel: it lists them for the debugger, and so copies memory of each after a fork."""
    with patch.object(ipkernel, "sys", SimpleNamespace(modules={})):
        yield


class _Answering:
    """What makes a kernel answer one more type of message."""

    agent: Any = None
    session: Any
    msg_types: Any = [*Kernel.msg_types, REQUEST]  # noqa: RUF012  # ipykernel's own form

    def _publish_status(self, status: str, channel: str, parent: Any = None) -> None:
        """Says nothing on the output channel about a request: its reply says all that the grader waits for."""
        about = parent or self.get_parent(channel)  # type: ignore[attr-defined]  # the kernel's
        if about.get("msg_type") != REQUEST:
            super()._publish_status(status, channel, parent)  # type: ignore[misc]

    async def autograder_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Lets the agent answer a request, and echoes the request's nonce so that an older answer is none."""
        try:
            content, buffers = self.agent.handle(parent["content"], [bytes(part) for part in parent["buffers"]])
        except BaseException as error:  # KeyboardInterrupt and SystemExit too: the client waits for an answer
            content, buffers = fault_form(raised("raised", type=type(error).__name__)), []
        nonce = parent["content"].get("nonce")
        self.session.send(stream, REPLY, {**content, "nonce": nonce}, parent, ident=ident, buffers=buffers)


class StudentKernel(_Answering, IPythonKernel):
    """An IPython kernel that answers requests beside its cells."""

    shell_class = Type(BoxShell)

    def __init__(self, **kwargs: Any) -> None:
        with _no_list_of_modules():
            super().__init__(**kwargs)  # type: ignore[no-untyped-call]  # ipykernel's


class ReplayKernel(_Answering, Kernel):
    """A kernel that answers requests and runs no cell, so that it needs no shell, which takes long to make."""

    implementation = banner = "autograder"
    implementation_version = __version__
    language_info = {"name": "stablehlo"}  # noqa: RUF012  # ipykernel's own form


class PacedOutStream(OutStream):
    """A stdout that waits until what was written has been sent, so that a flood does not fill the memory first."""

    _unsent = 0

    def write(self, string: str) -> int:
        """Writes in pieces, and waits after every few of them."""
        for start in range(0, len(string), _PIECE):
            piece = string[start : start + _PIECE]
            super().write(piece)
            self._unsent += len(piece)
            if self._unsent >= _PIECE:
                self._unsent = 0
                self.flush()  # type: ignore[no-untyped-call]  # ipykernel's
        return len(string)


class BoxKernelApp(IPKernelApp):
    """The kernel's application, on sockets that the grader made, without files and ports of its own."""

    handover = Instance(Handover)

    def parse_command_line(self, argv: list[str] | None = None) -> None:
        """Reads none: all settings are in `config`."""

    def load_config_file(self, *args: Any, **kwargs: Any) -> None:
        """Reads none, for the same reason."""

    def init_connection_file(self) -> None:
        """Takes the connection information from the handover."""
        self.load_connection_info(cast(KernelConnectionInfo, self.handover.connection))

    def write_connection_file(self, **kwargs: Any) -> None:
        """Writes nothing: the grader knows."""

    def init_poller(self) -> None:
        """Watches no parent: it lives in another process namespace."""

    def init_heartbeat(self) -> None:
        """Has no heartbeat: the grader watches the process itself."""

    def init_control(self, context: zmq.Context[Any]) -> None:
        """Undoes the debugger's connection to the shell channel, which would go by a path that is not here."""
        super().init_control(context)  # type: ignore[no-untyped-call]  # ipykernel's
        self.debug_shell_socket.close()
        self.debug_shell_socket = context.socket(zmq.DEALER)

    def init_iopub(self, context: zmq.Context[Any]) -> None:
        """Starts the output channel without ipykernel's TCP socket for the output of forked processes."""
        self.iopub_socket = context.socket(zmq.XPUB)
        self.iopub_socket.linger = 1000
        self.iopub_port = self._try_bind_socket(self.iopub_socket, self.iopub_port)
        self.configure_tornado_logger()  # type: ignore[no-untyped-call]  # ipykernel's
        self.iopub_thread = IOPubThread(self.iopub_socket, pipe=False, session=self.session)
        self.iopub_thread.start()
        self.iopub_socket = self.iopub_thread.background_socket

    def _try_bind_socket(self, s: zmq.Socket[Any], port: int) -> int:
        s.setsockopt(zmq.USE_FD, self.handover.sockets[port])
        s.bind(f"ipc://{self.ip}-{port}")
        return port

    def init_agent(self) -> None:
        """Makes the agent, before any code of a student runs."""
        module, _, name = self.handover.agent.partition(":")
        agent_class = getattr(import_module(module), name)
        self.kernel.agent = agent_class(self.kernel.shell.user_ns) if self.handover.namespace else agent_class()


def config() -> Config:
    """Returns the settings of the kernel: no history, no start-up files, and output that reaches nobody else."""
    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShellApp.ignore_cwd = True
    settings.InteractiveShell.colors = "nocolor"
    settings.IPKernelApp.quiet = True
    settings.IPKernelApp.outstream_class = f"{__name__}.{PacedOutStream.__name__}"
    return settings


def main(told: int) -> None:
    """Confines this process, then serves until it is killed.

    Args:
        told: Descriptor of a handover.
    """
    handover = Handover.from_file(told)
    confine(handover)
    serve(handover)


def serve(handover: Handover) -> None:
    """Runs the kernel in this process, which has been confined, until it is killed."""
    kernel_class = StudentKernel if handover.namespace else ReplayKernel
    app = BoxKernelApp.instance(handover=handover, config=config(), kernel_class=kernel_class)
    app.initialize([])  # type: ignore[no-untyped-call]  # ipykernel's
    app.init_agent()
    sys.path.append(str(handover.scratch / "work"))  # last: a file of a submission never stands in for a library
    app.start()  # type: ignore[no-untyped-call]  # ipykernel's


if __name__ == "__main__":
    main(int(sys.argv[1]))
