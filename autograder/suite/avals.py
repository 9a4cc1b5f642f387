"""An abstract value is a dtype and a shape; `f32` is a scalar one, `f32[3, 4]` an array, and `f32(2)` makes a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from autograder.faults import CourseFault


@dataclass(frozen=True, slots=True)
class Aval:
    """A dtype and a shape, without values; also makes values of that dtype and shape.

    Attributes:
        dtype: NumPy's name of the dtype: `float32`, `bfloat16`, `bool`.
        shape: Sizes of the axes; empty for a scalar.
    """

    dtype: str
    shape: tuple[int, ...] = ()

    def __getitem__(self, shape: int | tuple[int, ...]) -> Aval:
        """Returns an aval of the same dtype: `f32[3]`, `f32[3, 4]`, `f32[()]`, `f32[0]`."""
        return Aval(self.dtype, shape if isinstance(shape, tuple) else (shape,))

    def __call__(self, value: Any) -> Any:
        """Makes a NumPy value: `f32(2)` a scalar, `f32[3](1)` three ones, `f32([1, 2])` an array of what is given.

        In the student's kernel it arrives as a strong `jax.Array`. Use a plain Python number for a weak argument.
        """
        array = np.asarray(value).astype(self.numpy)
        if self.shape:
            array = np.broadcast_to(array, self.shape).copy()
        return array[()]

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype."""
        return np.dtype(getattr(ml_dtypes, self.dtype) if self.dtype == "bfloat16" else self.dtype)

    @property
    def kind(self) -> str:
        """`bool`, `integer`, `floating` or `complex`: what a value of a right answer agrees in."""
        return kind_of(self.numpy)

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


def kind_of(dtype: np.dtype[Any]) -> str:
    """Returns `bool`, `integer`, `floating`, `complex` or `other`."""
    if dtype == np.bool_:
        return "bool"
    if np.issubdtype(dtype, np.integer):
        return "integer"
    if np.issubdtype(dtype, np.floating) or dtype.name in ("bfloat16",) or dtype.name.startswith("float8"):
        return "floating"
    return "complex" if np.issubdtype(dtype, np.complexfloating) else "other"


def aval_of(value: Any) -> Aval:
    """Returns the aval of a NumPy value or a Python number, as JAX sees it with 64-bit types off."""
    if isinstance(value, Aval):
        return value
    array = np.asarray(value)
    narrow = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
    return Aval(narrow.get(array.dtype.name, array.dtype.name), array.shape)


def leaves(tree: Any) -> list[Any]:
    """Returns the leaves of nested tuples, lists and dicts in JAX's order; `None` has none."""
    if tree is None:
        return []
    if isinstance(tree, tuple | list):
        return [leaf for item in tree for leaf in leaves(item)]
    if isinstance(tree, Mapping):
        return [leaf for key in sorted(tree) for leaf in leaves(tree[key])]
    return [tree]


def fit(value: Any, aval: Aval) -> Any:
    """Returns a value as an array of exactly this dtype and shape.

    Raises:
        CourseFault: The suite gives a value of another shape or kind than it exported the program for.
    """
    array = np.asarray(value)
    order = ("bool", "integer", "floating", "complex")
    kind = kind_of(array.dtype)
    if array.shape != aval.shape or kind == "other" or order.index(kind) > order.index(aval.kind):
        raise CourseFault(
            f"The suite runs a program with {aval_of(array)} where it exported it for {aval}.",
            remedy="Give values of the shapes and kinds that `export` was called with.",
        )
    return array.astype(aval.numpy)


b1 = bool_ = Aval("bool")
bf16, f16, f32, f64 = Aval("bfloat16"), Aval("float16"), Aval("float32"), Aval("float64")
i8, i16, i32, i64 = Aval("int8"), Aval("int16"), Aval("int32"), Aval("int64")
u8, u16, u32, u64 = Aval("uint8"), Aval("uint16"), Aval("uint32"), Aval("uint64")
