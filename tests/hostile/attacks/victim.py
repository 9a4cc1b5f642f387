"""What the sibling holds dear, run as a cell in its box; `state()` shows whether anything of it was touched."""

# ruff: noqa: F821  # the capital names are set before

import contextlib
import ctypes
import hashlib
import json
import os
import resource
import socket
import subprocess
import threading
from pathlib import Path

memory = ctypes.create_string_buffer(TOKENS["the sibling's memory"].encode(), 64)
places = [Path.cwd(), Path("/tmp"), Path("/dev/shm")]
secrets = [places[0] / f"{NAME}.txt", places[1] / f"{NAME}.txt", places[2] / f"{NAME}.txt"]
for path in secrets:
    path.write_text(TOKENS["the sibling's files"])
    path.chmod(0o666)
child = subprocess.Popen(["sh", "-c", "read line", TOKENS["the sibling's command lines"]], stdin=subprocess.PIPE)
calls = []


def serve(server, what):
    """Tells the secret to whoever connects, and remembers that someone did."""
    while True:
        peer, _ = server.accept()
        calls.append(what)
        with contextlib.suppress(OSError):
            peer.sendall(TOKENS["the sibling's sockets"].encode())
        peer.close()


def listen(family, address, what):
    """Starts a server, if the box can make one at all."""
    with contextlib.suppress(OSError):
        server = socket.socket(family)
        server.bind(address)
        server.listen()
        threading.Thread(target=serve, args=(server, what), daemon=True).start()


listen(socket.AF_UNIX, f"\0{NAME}", "abstract")
listen(socket.AF_UNIX, f"/tmp/{NAME}.sock", "path")
listen(socket.AF_INET, ("127.0.0.1", PORT), "tcp")

segment = ctypes.create_string_buffer(64)
if BOXED:
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    at = libc.shmat(libc.shmget(KEY, ctypes.c_size_t(4096), 0o1666), None, 0)
    if at not in (None, ctypes.c_void_p(-1).value):
        segment = (ctypes.c_char * 64).from_address(at)
        segment.value = TOKENS["the sibling's shared memory"].encode()


def digests(place):
    """Lists the files of a place, those of this test alone where others have theirs."""
    own = place == places[0]
    found = [path for path in sorted(place.rglob("*") if own else place.glob(f"*{NAME}*")) if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def state():
    """Tells all that a sibling could have changed."""
    return json.dumps(
        {
            "memory": memory.value.decode(errors="replace"),
            "files": [digests(place) for place in places],
            "calls": calls,
            "shared memory": segment.value.decode(errors="replace"),
            "limits": [resource.getrlimit(what) for what in range(16)],
            "nice": os.getpriority(os.PRIO_PROCESS, 0),
            "scheduler": [os.sched_getscheduler(0), sorted(os.sched_getaffinity(0))],
            "child": child.poll(),
            "mounts": Path("/proc/self/mountinfo").read_text() if BOXED else "",
            "namespaces": [os.readlink(f"/proc/self/ns/{name}") for name in sorted(os.listdir("/proc/self/ns"))],
            "host name": socket.gethostname(),
            "users": [os.getresuid(), os.getresgid()],
        }
    )
