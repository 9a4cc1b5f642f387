"""The tools are public in `autograder`, which imports JAX only when one is used."""

import subprocess
import sys

import pytest

import autograder


def modules_after(code):
    """Returns which of the heavy modules a fresh interpreter has imported after running some code."""
    show = f"{code}\nimport sys\nprint(*[name for name in ('jax', 'numpy', 'pytest') if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True).stdout.split()


def test_import_brings_no_jax():
    """`import autograder` imports neither JAX nor NumPy nor pytest."""
    assert modules_after("import autograder") == []


def test_first_use_brings_jax():
    """Asking for a tool imports JAX: the test above can fail."""
    assert "jax" in modules_after("from autograder import bench")


def test_every_public_name_is_there():
    """Each name in `__all__` can be had, and another is an attribute error."""
    assert all(getattr(autograder, name) for name in autograder.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = autograder.nothing
