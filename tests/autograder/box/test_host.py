"""A box that root starts has a user of its own, also in a container that has but few of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.box import host
from autograder.box.bwrap import Host

ROOT = Host(program=Path("/usr/bin/bwrap"), version=(0, 8, 0), privileged=True, prefixes=())


@pytest.mark.parametrize(("first", "last"), [(0, 65536), (0x7000_0000, 2**32)])
def test_users_are_free(monkeypatch: pytest.MonkeyPatch, first: int, last: int) -> None:
    """The user of a box is one that exists here and belongs to no account, and seldom twice the same."""
    monkeypatch.setattr(host, "_mapped", lambda user: first <= user < last)
    monkeypatch.setattr(host, "_has_account", lambda user: user % 7 == 0)
    users = {host.fresh_user(ROOT) for _ in range(20)}
    assert all(user is not None and first <= user < last and user % 7 for user in users)
    assert len(users) > 10


def test_where_no_user_is_free_it_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container with a handful of users gives all boxes the same one."""
    monkeypatch.setattr(host, "_mapped", lambda user: user < 100)
    assert host.fresh_user(ROOT) == host.NOBODY
