"""The forms in which values cross: dtypes, records that stand for what is no plain value, and the limits.

NumPy's dtypes and those of `ml_dtypes` are all that is needed: the grader reads values without JAX.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import ml_dtypes
import numpy as np

Kind = Literal["jax", "numpy", "scalar"]
"""What an array is where it lives: a `jax.Array`, a `numpy.ndarray` or a NumPy scalar."""

Tree = Any
"""A JSON value in the forms of this module."""

_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_NATIVE = ("bool", *_INTEGERS, "float16", "float32", "float64", "complex64", "complex128")
_FLOAT8 = ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz")
_EXTENDED = ("bfloat16", *[f"float8_{layout}" for layout in _FLOAT8])
DTYPES: Mapping[str, np.dtype[Any]] = {name: np.dtype(name) for name in _NATIVE} | {
    name: np.dtype(getattr(ml_dtypes, name)) for name in _EXTENDED
}
"""The dtypes that may cross, by name."""

SMALL = 2**53
"""Integers below it, in size, are JSON numbers."""


def may_be_key(value: Any) -> bool:
    """Tells whether a dictionary may have this key; large integers may not, since many of them have one hash."""
    if type(value) is int:
        return -SMALL < value < SMALL
    return value is None or type(value) in (str, float, bool, bytes)


@dataclass(frozen=True, slots=True)
class Aval:
    """An abstract array: what `export` asks a program for.

    Attributes:
        dtype: A name in `DTYPES`.
        shape: Sizes, each at least 0.
    """

    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opaque:
    """Stands for a value that cannot cross.

    Attributes:
        type: Name of its class.
        repr: Beginning of its `repr`, or why there is none.
    """

    type: str
    repr: str


@dataclass(frozen=True, slots=True)
class AsNumpy:
    """Marks an argument that has to arrive as a NumPy array or scalar, not as a `jax.Array`.

    Attributes:
        value: A NumPy array or scalar.
    """

    value: Any


def as_numpy(value: Any) -> AsNumpy:
    """Marks a NumPy array or scalar so that it arrives as one in the student's kernel."""
    return AsNumpy(value)


@dataclass(frozen=True, slots=True)
class Caps:
    """How much one tree may hold; beyond it the writer puts `Opaque` and the reader refuses.

    Attributes:
        depth: Levels of nesting.
        nodes: Values in the tree, containers included.
        text: Characters of one string, or of the digits of one integer.
        buffer: Bytes of one buffer.
        total: Bytes of all buffers that the tree refers to.
        repr: Characters kept of an opaque value's `repr`.
    """

    depth: int = 24
    nodes: int = 100_000
    text: int = 1_000_000
    buffer: int = 64 << 20
    total: int = 256 << 20
    repr: int = 200


CAPS = Caps()
