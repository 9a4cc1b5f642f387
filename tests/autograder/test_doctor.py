"""The doctor says of each requirement whether it is there, and of each that is not how to mend it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import doctor
from autograder.box import cgroup
from autograder.box.bwrap import Host
from autograder.box.host import INSTALL
from autograder.doctor import Requirement, State
from autograder.faults import HostFault


def find(requirements: tuple[Requirement, ...], name: str) -> Requirement:
    """Returns the requirement of that name."""
    return next(requirement for requirement in requirements if requirement.name == name)


@pytest.mark.box
def test_this_machine_can_grade() -> None:
    """On a machine that runs these tests nothing is missing, and a real box has answered."""
    requirements = doctor.probe()

    assert [requirement for requirement in requirements if requirement.state is State.MISSING] == []
    assert "started and answered: JAX" in find(requirements, "a box").found
    assert all(requirement.remedy for requirement in requirements if requirement.state is not State.OK)


def test_missing_bubblewrap_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without bubblewrap the doctor names the package to install, and so does every check that needs it."""

    def nothing() -> Host:
        raise HostFault("There is no bubblewrap.", remedy=INSTALL)

    monkeypatch.setattr(doctor, "find_host", nothing)

    for check in (doctor._bubblewrap, doctor._namespaces):
        assert check().state is State.MISSING
        assert "apt install bubblewrap" in check().remedy


@pytest.mark.parametrize(
    ("version", "state"),
    [((0, 4, 1), State.MISSING), ((0, 6, 1), State.DEGRADED), ((0, 8, 0), State.OK), ((0, 11), State.OK)],
)
def test_old_bubblewrap_is_told_apart(version: tuple[int, ...], state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bubblewrap that cannot bound files is degraded, one without the options that a box needs is missing."""
    host = Host(program=Path("/usr/bin/bwrap"), version=version, privileged=False, prefixes=())
    monkeypatch.setattr(doctor, "find_host", lambda: host)

    assert doctor._bubblewrap().state is state


def test_restricted_namespaces_name_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where AppArmor keeps bubblewrap from making namespaces the doctor says how to allow them."""
    setting = tmp_path / "restrict"
    setting.write_text("1\n")
    refusing = tmp_path / "bwrap"
    refusing.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    refusing.chmod(0o755)
    host = Host(program=refusing, version=(0, 9, 0), privileged=False, prefixes=())
    monkeypatch.setattr(doctor, "_APPARMOR", setting)
    monkeypatch.setattr(doctor, "find_host", lambda: host)

    assert "Permission denied" in doctor._namespaces().found
    assert doctor._apparmor().state is State.MISSING
    assert "kernel.apparmor_restrict_unprivileged_userns=0" in doctor._apparmor().remedy


def test_bubblewrap_that_hangs_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bubblewrap that does not come to an end is a namespace that is missing, not an error of the doctor's."""
    hanging = tmp_path / "bwrap"
    hanging.write_text("#!/bin/sh\nexec sleep 60\n")
    hanging.chmod(0o755)
    host = Host(program=hanging, version=(0, 9, 0), privileged=False, prefixes=())
    monkeypatch.setattr(doctor, "find_host", lambda: host)
    monkeypatch.setattr(doctor, "_TRIAL_S", 0.1)

    assert doctor._namespaces().state is State.MISSING


def test_no_restriction_is_no_worry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A system without AppArmor's setting, or with the setting off, is fine."""
    monkeypatch.setattr(doctor, "_APPARMOR", tmp_path / "absent")
    assert doctor._apparmor().state is State.OK

    (tmp_path / "off").write_text("0\n")
    monkeypatch.setattr(doctor, "_APPARMOR", tmp_path / "off")
    assert doctor._apparmor().state is State.OK


def test_without_cgroups_grading_is_degraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no control group can be made grading goes on by rlimits, and the doctor says so."""
    monkeypatch.setattr(cgroup, "parents", lambda: ())

    assert doctor._limits().state is State.DEGRADED
    assert "systemd-run" in doctor._limits().remedy


def test_missing_package_is_missing() -> None:
    """A package that is not installed is missing and can be installed."""
    requirement = doctor._package("no-such-package-at-all")

    assert requirement.state is State.MISSING
    assert "pip install" in requirement.remedy


def test_broken_box_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box that does not start is missing, with the reason and the remedy of the fault."""

    class NoBox:
        def __init__(self, role: str, **_: object) -> None:
            pass

        def __enter__(self) -> None:
            raise HostFault("It did not start.", remedy="Do this.", detail="Traceback\nImportError: jax")

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(doctor, "Box", NoBox)

    assert doctor._box() == Requirement("a box", State.MISSING, "It did not start. ImportError: jax", "Do this.")
