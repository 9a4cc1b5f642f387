"""The command line of bubblewrap follows from the policy and the host alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.box.bwrap import Host, command
from autograder.box.policy import Limits, Policy


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course folder with everything in it: the environment, this package beside hidden suites, a gradebook."""
    for name in ("bin", "lib", "share/jupyter"):
        (tmp_path / "course" / ".venv" / name).mkdir(parents=True)
    for name in ("autograder", "tests", "submitted"):
        (tmp_path / "course" / name).mkdir()
    (tmp_path / "course" / "gradebook.db").touch()
    (tmp_path / "course" / ".venv" / "pyvenv.cfg").touch()
    (tmp_path / "pyenv" / "bin").mkdir(parents=True)
    (tmp_path / "pyenv" / "bin" / "python3.11").touch()
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "python").symlink_to("../pyenv/bin/python3.11")
    (tmp_path / "course" / ".venv" / "bin" / "python").symlink_to(tmp_path / "links" / "python")
    return tmp_path / "course"


def host(course: Path, *, privileged: bool = False, version: tuple[int, ...] = (0, 8, 0)) -> Host:
    """A host with that course."""
    return Host(
        program=Path("/usr/bin/bwrap"),
        version=version,
        privileged=privileged,
        prefixes=(course / ".venv", course.parent / "pyenv"),
        executable=course / ".venv" / "bin" / "python",
        package=course / "autograder",
    )


def shown(argv: list[str]) -> list[str]:
    """Lists what a command line shows of the host."""
    return [argv[at + 1] for at, word in enumerate(argv) if word in ("--ro-bind", "--ro-bind-try")]


def test_nothing_is_writable(course: Path) -> None:
    """No option that shows a path of the host lets a box write to it."""
    argv = command(Policy(readable=(course / "submitted",)), host(course))

    assert not {"--bind", "--bind-try", "--dev-bind", "--dev-bind-try", "--share-net"} & set(argv)
    assert argv[argv.index("--remount-ro", argv.index("--remount-ro") + 1) + 1] == "/"


def test_course_around_the_environment_is_hidden(course: Path) -> None:
    """Of a course folder that holds the environment and this package, a box sees these two alone."""
    inside = [path for path in shown(command(Policy(), host(course))) if Path(path).is_relative_to(course)]

    parts = [str(course / ".venv" / part) for part in ("bin", "lib", "share", "pyvenv.cfg")]
    assert inside == [*parts, str(course / "autograder")]


def test_course_as_environment_is_hidden(course: Path) -> None:
    """Where the course folder is itself the environment, its other folders stay hidden all the same."""
    (course / "bin").mkdir()
    (course / "pyvenv.cfg").touch()
    here = Host(
        Path("bwrap"), (0, 8), False, prefixes=(course,), executable=course / "bin", package=course / "autograder"
    )

    seen = shown(command(Policy(), here))

    assert str(course / "bin") in seen
    assert not {str(course), str(course / "tests"), str(course / "gradebook.db")} & set(seen)


def test_interpreter_is_found_through_links(course: Path) -> None:
    """Every link on the way from the environment's python to the real one is there."""
    seen = shown(command(Policy(), host(course)))

    assert str(course.parent / "links" / "python") in seen
    assert str(course.parent / "pyenv" / "bin") in seen


def test_folders_above_can_be_passed(course: Path) -> None:
    """Each folder above a shown path is made readable, since the box's user is another one."""
    argv = command(Policy(), host(course))

    at = argv.index(str(course))
    assert argv[at - 3 : at] == ["--perms", "0755", "--dir"]
    assert at < argv.index(str(course / "autograder"))


def test_every_namespace_is_new(course: Path) -> None:
    """A box has its own network, processes, users, hostname and shared memory, and ends with the grader."""
    argv = command(Policy(), host(course))

    needed = {"--unshare-net", "--unshare-pid", "--unshare-user", "--unshare-ipc", "--unshare-uts", "--disable-userns"}
    assert needed | {"--die-with-parent", "--new-session", "--clearenv"} <= set(argv)
    assert argv[argv.index("--cap-drop") + 1] == "ALL"
    assert "--cap-add" not in argv


def test_root_keeps_what_gives_up_root(course: Path) -> None:
    """Started by root, a box keeps the two rights with which its code becomes another user, and no user namespace."""
    argv = command(Policy(), host(course, privileged=True))

    assert [argv[at + 1] for at, word in enumerate(argv) if word == "--cap-add"] == ["CAP_SETUID", "CAP_SETGID"]
    assert "--unshare-user" not in argv


def test_files_are_bounded_where_they_can_be(course: Path) -> None:
    """Every folder that a box may write to has a size, where bubblewrap can give it one."""
    policy = Policy(limits=Limits(scratch_mb=3))
    new, old = (command(policy, host(course, version=version)) for version in ((0, 7, 0), (0, 6, 1)))

    assert [word for at, word in enumerate(new) if new[at - 1] == "--size"] == [str(3 * 2**20)] * 3
    assert new.count("--tmpfs") == old.count("--tmpfs") == 3
    assert "--size" not in old


def test_old_bubblewrap_gets_no_new_options(course: Path) -> None:
    """Version 0.6, of Ubuntu 22.04, is given no option that it does not know."""
    assert not {"--size", "--disable-userns"} & set(command(Policy(), host(course, version=(0, 6, 1))))


def test_same_input_same_command(course: Path) -> None:
    """The command line depends on nothing but its arguments."""
    assert command(Policy(), host(course)) == command(Policy(), host(course))
