"""A box sees the system, the Python environment, this package and the submission, and nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import autograder
from autograder.box.box import Box
from autograder.box.policy import Limits, Policy, environment

pytestmark = pytest.mark.box


def run(box: Box, code: str) -> str:
    """Runs code in the box and returns what it printed."""
    done = box.execute(code, timeout=30)
    assert done.status == "ok", done.traceback
    return done.stdout.strip()


def error(box: Box, code: str) -> str:
    """Runs code that must fail, and returns the name of the error."""
    done = box.execute(code, timeout=30)
    assert done.status == "error", done
    return done.ename


def test_no_network(shared_box: Box) -> None:
    """A box has its own loopback interface and no other, and makes no socket with which an address is reachable."""
    devices = "print([line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]])"
    assert run(shared_box, devices) == "['lo']"
    assert error(shared_box, "import socket; socket.create_connection(('192.0.2.1', 80), timeout=3)") == "OSError"


@pytest.mark.parametrize("path", ["/usr/planted", "/etc/planted", "/planted", "/dev/planted", "{package}/planted.py"])
def test_system_is_read_only(shared_box: Box, path: str) -> None:
    """Nothing of the system, of the root folder or of this package can be written."""
    path = path.format(package=Path(autograder.__file__).parent)

    assert error(shared_box, f"open({path!r}, 'w')") in {"OSError", "PermissionError"}
    assert not Path(path).exists()


def test_host_folders_are_hidden(shared_box: Box) -> None:
    """Of the folder around this package only the package is there, and the Python environment where that lies in it."""
    repository = Path(autograder.__file__).parents[1]
    assert (repository / "tests").is_dir()
    venv = Path(sys.prefix)
    inside = [venv.relative_to(repository).parts[0]] if venv.is_relative_to(repository) else []

    seen = run(shared_box, f"import os; print(sorted(os.listdir({str(repository)!r})))")

    assert seen == str(sorted(["autograder", *inside]))
    assert run(shared_box, f"print(os.path.exists({__file__!r}))") == "False"
    home = Path.home() / ".profile"
    assert run(shared_box, f"print([n for n in ('/home', '/var', {str(home)!r}, '/mnt') if os.path.exists(n)])") == "[]"


def test_environment_is_built_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No environment variable of the grader reaches a box, whatever it is called."""
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "expected value")
    monkeypatch.setenv("PYTHONPATH", "/tmp")
    assert "SECRET_OF_THE_GRADER" not in environment(Policy())
    assert "PYTHONPATH" not in environment(Policy())


def test_environment_of_the_grader_is_invisible(shared_box: Box) -> None:
    """What a kernel finds in its environment is what the policy says; PYTEST_CURRENT_TEST is the grader's."""
    assert "PYTEST_CURRENT_TEST" in os.environ

    assert (
        run(shared_box, "import os; print('PYTEST_CURRENT_TEST' in os.environ, os.environ['HOME'])")
        == "False /box/home"
    )


def test_other_processes_are_invisible(shared_box: Box) -> None:
    """A box sees its own processes alone."""
    assert (
        run(shared_box, "import os; print([n for n in os.listdir('/proc') if n.isdigit()], os.getpid())")
        == "['1', '2'] 2"
    )


def test_code_has_no_rights(shared_box: Box) -> None:
    """A student's code has no capability, cannot gain one, and is never the user root."""
    code = (
        "print([line.split()[1] for line in open('/proc/self/status') if line[:6] in ('CapPrm', 'CapEff', 'NoNewP')])"
    )

    assert run(shared_box, code) == "['0000000000000000', '0000000000000000', '1']"
    assert run(shared_box, "import os; print(0 in os.getresuid() + os.getresgid() + tuple(os.getgroups()))") == "False"
    assert error(shared_box, "import os; os.setuid(0)") in {"PermissionError", "OSError"}  # forbidden, or no such user


def test_grader_descriptors_are_not_inherited(shared_box: Box) -> None:
    """A kernel holds no open file of the grader: only sockets, pipes, devices and anonymous files."""
    code = """
import os, pathlib
links = [os.readlink(path) for path in pathlib.Path("/proc/self/fd").iterdir() if path.is_symlink()]
print(*sorted({link.split(":")[0] for link in links}), sep="\\n")
"""

    assert set(run(shared_box, code).split("\n")) <= {"/dev/null", "anon_inode", "pipe", "socket", "/memfd"}


def test_submission_is_copied_in(shared_box: Box) -> None:
    """The submission's files lie in the working directory, with their names, and are the student's to change."""
    assert run(shared_box, "print(sorted(os.listdir('.')))") == "['data', 'helper.py', 'numpy.py', 'sitecustomize.py']"
    assert run(shared_box, "print(open('data/ünï 学 [1].csv').read()); open('data/new', 'w').close()") == "1,2"


def test_links_are_not_followed(shared_box: Box) -> None:
    """A symbolic link of a submission brings nothing into the box, neither the link nor what it points to."""
    assert run(shared_box, "print(os.path.lexists('link.txt'), os.path.lexists('folder'))") == "False False"


def test_planted_modules_stand_behind_the_environment(shared_box: Box) -> None:
    """A file of the submission can be imported, and never stands in for a library or the interpreter's own."""
    assert run(shared_box, "import helper; print(helper.ANSWER)") == "42"
    assert "site-packages" in run(shared_box, "import numpy; print(numpy.__file__)")
    assert run(shared_box, "print('PLANTED' in os.environ)") == "False"


def test_same_python_runs_inside(shared_box: Box) -> None:
    """A box runs the grader's own interpreter and environment."""
    assert (
        run(shared_box, "import sys; print(sys.prefix, sys.version_info[:3])") == f"{sys.prefix} {sys.version_info[:3]}"
    )


def test_disk_is_bounded(shared_box: Box, limits: Limits) -> None:
    """Neither one file nor all files together can grow beyond the limits, and the kernel lives on."""
    assert error(shared_box, f"open('/box/a', 'wb').write(b'x' * ({limits.file_mb + 1} << 20))") == "OSError"
    fill = f"for n in range(4): open(f'/box/a{{n}}', 'wb').write(b'x' * ({limits.file_mb - 1} << 20))"
    assert error(shared_box, fill) == "OSError"

    assert run(shared_box, "for n in os.listdir('/box'): os.path.isfile(f'/box/{n}') and os.remove(f'/box/{n}')") == ""
