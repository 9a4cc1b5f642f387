"""A command that is cut short says so by its exit code: a closed pipe is no fault, and Ctrl-C has its own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module

import pytest

from autograder.cli.ending import Exit


def test_closed_pipe_is_no_fault() -> None:
    """A command whose reader has gone, as with `| head`, ends as one that is done, and says nothing."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "autograder", "--help"], stdout=write, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (Exit.DONE, "")


def test_ctrl_c_at_any_time_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C outside of a batch, which Typer turns into a code, ends with one line."""

    def interrupted(**_: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            sys.exit(Exit.INTERRUPTED)

    module = import_module("autograder.cli.app")
    monkeypatch.setattr(module, "app", interrupted)

    assert module.main([]) == Exit.INTERRUPTED
    assert capsys.readouterr().err == "Ended by Ctrl-C.\n"
