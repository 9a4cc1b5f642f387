"""The filter refuses what it lists, to the whole process and whatever the disguise."""

from __future__ import annotations

import platform
import signal
import sys
from pathlib import Path

import pyseccomp
import pytest

from autograder.box import seccomp
from autograder.faults import HostFault
from tests.autograder.box.child import run_child, start_child

LOAD = "seccomp.load(Path(sys.argv[1]).read_bytes())\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that holds the filter."""
    path = tmp_path_factory.mktemp("filter") / "program"
    path.write_bytes(seccomp.build())
    return path


@pytest.mark.parametrize("architecture", [pyseccomp.Arch.X86_64, pyseccomp.Arch.AARCH64])
def test_every_name_is_known(architecture: int) -> None:
    """No call of the list has a name that libseccomp does not know, and so would not refuse."""
    unknown = -1  # what one architecture lacks has another negative number

    assert [name for name in seccomp.REFUSED if pyseccomp.resolve_syscall(architecture, name) == unknown] == []


def test_listed_calls_are_refused(program: Path) -> None:
    """Every call of the list ends with EPERM, for root as for anyone."""
    numbers = {name: pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in seccomp.REFUSED}
    numbers = {name: number for name, number in numbers.items() if number >= 0}

    found = run_child(
        LOAD + f"report({{name: call(number, *[-1] * 6) for name, number in {numbers}.items()}})", program
    )

    assert len(found) > 50  # an architecture may lack some
    assert {name: came for name, came in found.items() if came != "EPERM"} == {}


def test_calls_without_a_filter_are_not() -> None:
    """The calls that the other tests see refused are open to a process without the filter."""
    code = "report([call(39 if os.uname().machine == 'x86_64' else 172) > 0, attempt(__import__('socket').socket)])"

    assert run_child(code) == [True, "done"]


def test_unknown_calls_do_not_exist(program: Path) -> None:
    """What is newer than the list, clone3 and calls of the x32 ABI answer that there is no such call."""
    clone3, x32 = 435, 0x4000_0000
    numbers = [clone3, seccomp.NEWEST + 1, 600, x32 + 39, x32 + 101, 2**31]

    found = run_child(LOAD + f"report([call(number, *[-1] * 6) for number in {numbers}])", program)

    assert found == ["ENOSYS"] * len(numbers)


@pytest.mark.parametrize("flag", seccomp.NAMESPACE_FLAGS)
def test_clone_makes_no_namespace(flag: str, program: Path) -> None:
    """A process is made as ever, and with any flag for a new namespace refused."""
    code = f"""
number = {pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, "clone")}
def clone(flags):
    child = call(number, flags | 17, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    return child if isinstance(child, str) else os.waitpid(child, 0)[1]
report([clone(0), clone({seccomp.NAMESPACE_FLAGS[flag]}), clone({seccomp.NAMESPACE_FLAGS[flag]} | 0x1000_0000)])
"""

    assert run_child(LOAD + code, program) == [0, "EPERM", "EPERM"]


def test_sockets_are_local(program: Path) -> None:
    """Only unix sockets can be made; a higher bit that the kernel would overlook does not help."""
    code = f"""
import socket
one, two = {[pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name) for name in ("socket", "socketpair")]}
refused = [2, 10, 16, 17, 30, 31, 38, 40, 2 + 2**32, 1 + 2**32]  # of inet, inet6, netlink, packet, tipc, ..., vsock
report([[call(one, family, 1, 0) for family in refused], call(two, 30, 1, 0, 0), attempt(socket.socketpair)])
"""

    sockets, pair, local = run_child(LOAD + code, program)

    assert set(sockets) == {"EAFNOSUPPORT"}
    assert (pair, local) == ("EAFNOSUPPORT", "done")


def test_nothing_is_typed_into_a_terminal(program: Path) -> None:
    """TIOCSTI and its like are refused, with a higher bit set as well; other requests reach the terminal."""
    code = f"""
import pty, termios
_, terminal = pty.openpty()
requests = {list(seccomp.TERMINAL_REQUESTS.values())}
number = {pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, "ioctl")}
report([call(number, terminal, request + high, 0) for request in requests for high in (0, 2**32)])
assert termios.tcgetattr(terminal)
"""

    assert run_child(LOAD + code, program) == ["EPERM"] * 6


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the code is x86")
def test_foreign_calls_end_the_process(program: Path) -> None:
    """A call by the interface of another architecture kills the process, not the one thread that made it."""
    code = """
import mmap, threading
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b814000000 cd80 c3"))  # getpid of i386
entry = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
thread = threading.Thread(target=entry)
thread.start()
thread.join()
"""

    assert start_child(code, program).returncode == 0
    assert start_child(LOAD + code, program).returncode == -signal.SIGSYS


def test_filter_stays(program: Path) -> None:
    """A program that is started inherits the filter, and setuid programs give no rights."""
    code = """
import subprocess
print(subprocess.run(["unshare", "--user", "true"], capture_output=True, text=True).stderr, flush=True)
report([line.split()[1] for line in open("/proc/self/status") if line.startswith(("NoNewPrivs", "Seccomp:"))])
"""

    done = start_child(LOAD + code, program)

    assert "unshare failed: Operation not permitted" in done.stdout
    assert done.stdout.splitlines()[-1] == '["1", "2"]'


def test_missing_library_is_the_hosts_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without libseccomp the fault says what to install."""
    monkeypatch.delitem(sys.modules, "pyseccomp", raising=False)
    seccomp.build.cache_clear()
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None if name == "seccomp" else "libc.so.6")

    with pytest.raises(HostFault) as raised:
        seccomp.build()
    assert "apt install libseccomp2" in raised.value.remedy
