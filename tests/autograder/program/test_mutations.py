"""Damaged artifacts are answered, or end the one process that opened them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MUTATE = Path(__file__).with_name("mutate.py")


def test_mutated_artifacts():
    """A damaged artifact gives a structure or a fault; at worst it crashes MLIR's reader, and it never hangs."""
    command = [sys.executable, "-W", "ignore", str(MUTATE), "7", "150"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, timeout=300)
    endings = json.loads(done.stdout)
    assert sum(endings.values()) == 150
    assert set(endings) <= {"answered", "SIGSEGV", "SIGABRT", "SIGBUS"}
    assert endings["answered"] > 75
