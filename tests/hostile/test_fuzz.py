"""Nothing but the declared faults comes out of what reads hostile input, whatever it is given."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile.fuzz import TARGETS

RUNS = {"wire": 300_000, "structure": 300_000, "suite": 60_000, "conversation": 30_000, "intake": 20_000}
"""Runs of each target, a minute or less."""


@pytest.mark.parametrize("target", TARGETS)
def test_few_inputs(target: str) -> None:
    """A target bears inputs that know nothing of the code."""
    _hypothesis(TARGETS[target], examples=200)


@pytest.mark.hostile
@pytest.mark.parametrize("target", TARGETS)
def test_many_inputs(target: str, record_property: Callable[[str, object], None]) -> None:
    """A target bears inputs that are bred by coverage; without Atheris, many that are drawn."""
    if find_spec("atheris") is None:
        examples = RUNS[target] // 20
        _hypothesis(TARGETS[target], examples=examples)
        record_property(f"fuzz {target}", f"{examples} inputs of Hypothesis: declared faults only")
        return
    command = [sys.executable, "-m", "tests.hostile.fuzz", target, str(RUNS[target])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    record_property(f"fuzz {target}", f"{RUNS[target]} inputs of Atheris: declared faults only")


def _hypothesis(target: Callable[[bytes], None], *, examples: int) -> None:
    limits = settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    limits(given(st.binary(max_size=512))(target))()
