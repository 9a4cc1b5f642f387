"""A cell that changes `builtins` changes them for itself alone."""

from __future__ import annotations

import pytest

from autograder.box.box import Box

pytestmark = pytest.mark.box


def test_builtins_are_put_back(shared_box: Box) -> None:
    """After a cell that replaced and deleted builtins, the kernel answers, and the next cell has the real ones."""
    cell = "import builtins\nbuiltins.isinstance = lambda *args: True\nbuiltins.len = lambda _: 2\ndel builtins.sum"

    assert shared_box.execute(cell, timeout=30).status == "ok"
    assert shared_box.execute("print(len('abc'), sum([1, 2]), isinstance(1, str))", timeout=30).stdout == "3 3 False\n"
    assert shared_box.ask({"op": "environment"}).content["jax"]
