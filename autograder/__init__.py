"""Grades exercises on `jax.jit`: numerics, lowering and compile counts, checked outside the student's process."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.selfcheck import check
    from autograder.tools import (
        assert_faster,
        bench,
        call,
        count_compiles,
        expect_error,
        explain_recompile,
        show_program,
    )

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "assert_faster",
    "bench",
    "call",
    "check",
    "count_compiles",
    "expect_error",
    "explain_recompile",
    "show_program",
]

_HOMES = {"check": "autograder.selfcheck"} | dict.fromkeys(
    ("assert_faster", "bench", "call", "count_compiles", "expect_error", "explain_recompile", "show_program"),
    "autograder.tools",
)
"""Where each public name lives; imported when it is first asked for, since most commands do without JAX."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
