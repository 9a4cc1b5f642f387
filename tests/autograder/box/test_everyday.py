"""What notebooks do every day works under the filter of system calls and Landlock together."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograder
from autograder.box import seccomp
from tests.autograder.box.child import run_child

CONFINE = f"""
scratch = Path(sys.argv[1])
readable = ["/usr", "/bin", "/lib", "/lib64", "/etc", "/proc", "/sys/fs/cgroup", "/dev/zero", "/dev/urandom"]
readable += {[sys.prefix, sys.base_prefix, str(Path(autograder.__file__).parent)]}
writable = [scratch, "/dev/shm", "/dev/null", "/dev/tty", "/dev/ptmx", "/dev/pts"]
program = (scratch / "program").read_bytes()
if landlock.abi():
    landlock.restrict(readable=[*map(Path, readable)], writable=[*map(Path, writable)])
seccomp.load(program)
os.chdir(scratch)
"""

EVERYDAY = {
    "asyncio": """
import asyncio
async def main():
    server = await asyncio.start_unix_server(lambda reader, writer: writer.close(), "socket")
    await asyncio.open_unix_connection("socket")
    process = await asyncio.create_subprocess_exec("echo", "42", stdout=asyncio.subprocess.PIPE)
    server.close()
    return int((await process.communicate())[0]) + await asyncio.to_thread(lambda: 0)
report(asyncio.run(main()))
""",
    "subprocess": """
import subprocess
shell = "set -e; echo 21 > a; mkdir -p b; mv a b/; cat b/a | while read x; do echo $((2 * x)); done; rm -r b"
report(int(subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True).stdout))
""",
    "magics": """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("%%bash --out printed\\nfor i in 20 22; do echo $i; done | awk '{ total += $1 } END { print total }'")
shell.run_cell("files = !ls\\n%cd -q /tmp")
report(int(shell.user_ns["printed"]))
""",
    "terminal": """
import pty
child, terminal = pty.fork()
if child == 0:
    os.execv("/bin/sh", ["sh", "-c", "stty size > /dev/null; test -t 0; exit 42"])
report(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
    "multiprocessing": """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.shared_memory import SharedMemory
memory = SharedMemory(create=True, size=64)
with multiprocessing.get_context("fork").Pool(2) as pool:
    total = sum(pool.map(abs, [-20, -20]))
with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
    total += pool.submit(abs, -1).result()
with ThreadPoolExecutor(4) as pool:
    total += sum(pool.map(abs, [-1, 0]))
memory.close()
memory.unlink()
report(total)
""",
    "jax": """
import jax, jax.numpy as jnp, numpy as np
def double(x):
    return jax.pure_callback(lambda x: np.float32(2 * x), jax.ShapeDtypeStruct((), "float32"), x)
jax.debug.print("{}", jnp.arange(3))
jax.export.export(jax.jit(jnp.sin))(jax.ShapeDtypeStruct((), "float32"))
report(int(jax.jit(double)(jnp.float32(21))))
""",
    "files": """
import mmap, shutil, sqlite3, tempfile, zipfile
with tempfile.NamedTemporaryFile(dir=".") as file:
    file.truncate(4096)
    mmap.mmap(file.fileno(), 0)[:2] = b"42"
    Path("copy").write_bytes(Path(file.name).read_bytes().rstrip(b"\\0"))
Path("inner").mkdir()
os.rename("copy", "inner/copy")
shutil.make_archive("archive", "zip", "inner")
sqlite3.connect("base.db").execute("create table t (x)")
report(int(zipfile.ZipFile("archive.zip").read("copy")))
""",
    "psutil": """
import psutil
report(42 if psutil.Process().memory_info().rss and psutil.cpu_count() and psutil.virtual_memory().total else 0)
""",
    "zmq": """
import zmq
context = zmq.Context()
with context.socket(zmq.REP) as server, context.socket(zmq.REQ) as client:
    server.bind("ipc://answers")
    client.connect("ipc://answers")
    client.send(b"?")
    server.recv()
    server.send(b"42")
    report(int(client.recv()))
context.term()
""",
}


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder that the process may write, with the filter in it; its path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="everyday-", dir="/tmp") as name:
        (Path(name) / "program").write_bytes(seccomp.build())
        yield Path(name)


@pytest.mark.parametrize("what", EVERYDAY)
def test_everyday_work_is_not_disturbed(what: str, scratch: Path) -> None:
    """What needs none of the refused calls and no other files works as ever."""
    variables = {"HOME": str(scratch), "TMPDIR": str(scratch), "JAX_PLATFORMS": "cpu", "LANG": "C.UTF-8"}

    assert run_child(CONFINE + EVERYDAY[what], scratch, **variables) == 42
