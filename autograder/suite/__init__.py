"""What authors write suites with: `student` and `reference` fixtures, abstract values like `f32[3]`, and assertions.

Names are loaded when they are first used, so that the pytest plugin costs an ordinary test run nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.suite.assertions import as_numpy, assert_close, assert_equal, fail, not_gradable
    from autograder.suite.avals import (
        Aval,
        b1,
        bf16,
        bool_,
        f16,
        f32,
        f64,
        i8,
        i16,
        i32,
        i64,
        u8,
        u16,
        u32,
        u64,
    )
    from autograder.suite.chart import as_chart
    from autograder.suite.function import Function
    from autograder.suite.program import Program
    from autograder.suite.purity import Purity
    from autograder.suite.reading import as_bool, as_count, as_entries, as_word
    from autograder.suite.student import Student

_HOME = {
    "assertions": ("as_numpy", "assert_close", "assert_equal", "fail", "not_gradable"),
    "avals": (
        "Aval",
        *("b1", "bool_", "bf16", "f16", "f32", "f64"),
        *("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"),
    ),
    "chart": ("as_chart",),
    "function": ("Function",),
    "program": ("Program",),
    "purity": ("Purity",),
    "reading": ("as_bool", "as_count", "as_entries", "as_word"),
    "student": ("Student",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Aval",
    "Function",
    "Program",
    "Purity",
    "Student",
    "as_bool",
    "as_chart",
    "as_count",
    "as_entries",
    "as_numpy",
    "as_word",
    "assert_close",
    "assert_equal",
    "b1",
    "bf16",
    "bool_",
    "f16",
    "f32",
    "f64",
    "fail",
    "i8",
    "i16",
    "i32",
    "i64",
    "not_gradable",
    "u8",
    "u16",
    "u32",
    "u64",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
