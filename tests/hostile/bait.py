"""What the host holds out to an attacker: secrets in a file, a process, sockets, memory, a queue, a keyring.

All of it is open to everyone on the machine, so that nothing but the box stands before it.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyseccomp

import autograder

_PLACES = (Path("/"), Path("/usr"), Path("/etc"), Path("/usr/bin"), Path("/dev"), Path("/tmp"), Path("/dev/shm"))
_SESSION_KEYRING = -3
_UNLINK_KEY = 9


@dataclass(slots=True)
class Bait:
    """Secrets of the host, and what shows that they were touched.

    Attributes:
        folder: A folder of the host that everyone may read and write.
        name: A part of names that makes them this bait's own.
        tokens: The secrets by the place where they lie.
        calls: Connections that the grader's sockets had.
        port: The port of the grader's server.
        free_port: A port for the sibling.
        key: Key of the shared memory of the grader.
        helper: A process of the grader.
        log: Descriptor of the grader's log, which may be inherited.
    """

    folder: Path
    tokens: dict[str, str]
    name: str = field(default_factory=lambda: f"bait-{secrets.token_hex(4)}")
    calls: list[str] = field(default_factory=list)
    port: int = 0
    free_port: int = 0
    key: int = field(default_factory=lambda: 0x0BA1_0000 + 2 * secrets.randbelow(2**14))
    helper: subprocess.Popen[bytes] | None = None
    log: int = -1
    _memory: Any = None

    @property
    def address(self) -> int:
        """Where a secret lies in the grader's memory."""
        return ctypes.addressof(self._memory)

    @property
    def socket(self) -> Path:
        """Path of the grader's socket."""
        return self.folder / "socket"

    def hints(self) -> dict[str, Any]:
        """Tells the attacker where everything is."""
        assert self.helper is not None
        return {
            "watched": [self.helper.pid],
            "secret": str(self.folder / "secret.txt"),
            "folder": str(self.folder),
            "mount": "/tmp",
            "control": str(self.folder / "secret.txt"),
            "setuid": str(self.folder / "shown" / "id"),
            "addresses": [found[4][0] for found in _addresses()],
        }

    def now(self, name: str) -> dict[str, object]:
        """Looks at the host.

        Args:
            name: What files that were planted have in their names.
        """
        assert self.helper is not None
        files = [path for path in sorted(self.folder.rglob("*")) if path.is_file()]
        package = Path(autograder.__file__).parent
        planted = [path for place in (*_PLACES, package, Path(sys.prefix)) for path in place.glob(f"planted-{name}*")]
        return {
            "the host's files": {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
            "files in the system": [str(path) for path in planted],
            "connections to the grader": list(self.calls),
            "the grader's helper": self.helper.poll(),
            "the grader's limits": Path("/proc/self/limits").read_text(),
            "the host's name": socket.gethostname(),
            "the grader's memory": self._memory.raw,
            "the grader's place in the queue": os.getpriority(os.PRIO_PROCESS, 0),
        }


@contextlib.contextmanager
def laid_out() -> Iterator[Bait]:
    """Lays everything out, and clears it away."""
    kinds = ("file", "log", "command lines", "environment", "memory", "sockets", "shared memory", "queue", "keyring")
    tokens = {f"the grader's {kind}": f"secret-{secrets.token_hex(8)}" for kind in kinds}
    bait = Bait(Path(tempfile.mkdtemp(prefix="bait-", dir="/tmp")), tokens)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, bait.folder)
        _files(bait, stack)
        _process(bait, stack)
        _servers(bait, stack)
        _shared(bait, stack)
        yield bait


def _files(bait: Bait, stack: contextlib.ExitStack) -> None:
    bait.folder.chmod(0o777)
    (bait.folder / "secret.txt").write_text(bait.tokens["the grader's file"])
    (bait.folder / "log.txt").write_text(bait.tokens["the grader's log"])
    for path in bait.folder.iterdir():
        path.chmod(0o666)
    (bait.folder / "shown").mkdir()
    shutil.copy("/usr/bin/id", bait.folder / "shown" / "id")
    (bait.folder / "shown" / "id").chmod(0o4755)
    for path, flags in ((bait.folder / "log.txt", os.O_RDWR), (bait.folder, os.O_RDONLY)):
        descriptor = os.open(path, flags)
        os.set_inheritable(descriptor, True)
        stack.callback(os.close, descriptor)


def _process(bait: Bait, stack: contextlib.ExitStack) -> None:
    told = {"SECRET": bait.tokens["the grader's environment"]}
    word = bait.tokens["the grader's command lines"]
    helper = subprocess.Popen(["/bin/sh", "-c", "read line", word], stdin=subprocess.PIPE, env=told)
    bait.helper = stack.enter_context(helper)
    stack.callback(helper.kill)
    bait._memory = ctypes.create_string_buffer(bait.tokens["the grader's memory"].encode(), 64)


def _servers(bait: Bait, stack: contextlib.ExitStack) -> None:
    abstract, path = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    abstract.bind(f"\0{bait.name}")
    path.bind(str(bait.socket))
    bait.socket.chmod(0o777)
    port = socket.create_server(("0.0.0.0", 0))
    bait.port = port.getsockname()[1]
    with socket.create_server(("127.0.0.1", 0)) as free:
        bait.free_port = free.getsockname()[1]
    for server in (abstract, path, port):
        server.listen()
        thread = threading.Thread(target=_serve, args=(server, bait))
        thread.start()
        stack.callback(server.close)
        stack.callback(thread.join)
        stack.callback(server.shutdown, socket.SHUT_RDWR)


def _serve(server: socket.socket, bait: Bait) -> None:
    while True:
        try:
            peer, _ = server.accept()
        except OSError:
            return
        with peer, contextlib.suppress(OSError):
            bait.calls.append(str(server.getsockname()))
            peer.sendall(bait.tokens["the grader's sockets"].encode())


def _shared(bait: Bait, stack: contextlib.ExitStack) -> None:
    """Shares memory, a queue and a key; a kernel may lack the last two."""
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    number = libc.shmget(bait.key, ctypes.c_size_t(4096), 0o1666)
    assert number >= 0
    stack.callback(libc.shmctl, number, 0, None)
    at = libc.shmat(number, None, 0)
    stack.callback(libc.shmdt, ctypes.c_void_p(at))
    secret = bait.tokens["the grader's shared memory"].encode()
    ctypes.memmove(at, secret, len(secret))
    secret = bait.tokens["the grader's queue"].encode()
    queue = _call("mq_open", bait.name.encode(), os.O_RDWR | os.O_CREAT, 0o666, None)
    if queue >= 0:
        stack.callback(_call, "mq_unlink", bait.name.encode())
        stack.callback(os.close, queue)
        _call("mq_timedsend", queue, secret, ctypes.c_size_t(len(secret)), 0, None)
    secret = bait.tokens["the grader's keyring"].encode()
    key = _call("add_key", b"user", bait.name.encode(), secret, ctypes.c_size_t(len(secret)), _SESSION_KEYRING)
    if key >= 0:
        stack.callback(_call, "keyctl", _UNLINK_KEY, key, _SESSION_KEYRING)


def _call(name: str, *arguments: Any) -> int:
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    number = pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    return int(ctypes.CDLL(None).syscall(ctypes.c_long(number), *words))


def _addresses() -> list[Any]:
    try:
        return socket.getaddrinfo(socket.gethostname(), None, family=socket.AF_INET, type=socket.SOCK_STREAM)
    except OSError:
        return []
