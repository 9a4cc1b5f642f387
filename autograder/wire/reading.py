"""A tree is read strictly, within limits: whatever is not exactly a known form is a `TamperFault`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from autograder.faults import TamperFault
from autograder.wire.forms import CAPS, DTYPES, SMALL, Aval, Caps, Kind, Opaque, Tree, may_be_key

_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_MAX_RANK = 32
_MAX_SIZE = 2**40


def as_read(array: np.ndarray[Any, Any], kind: Kind, weak: bool) -> Any:
    """Leaves an array as NumPy has it; a NumPy scalar becomes one again. The grader's way: no JAX."""
    del weak
    return array[()] if kind == "scalar" else array


def decode(
    tree: Tree,
    buffers: Sequence[bytes | memoryview],
    *,
    as_array: Callable[[np.ndarray[Any, Any], Kind, bool], Any] = as_read,
    caps: Caps = CAPS,
) -> Any:
    """Reads a value that `encode` wrote, perhaps in a process that is not to be trusted.

    Args:
        tree: A JSON value.
        buffers: All buffers of the message; a tree may refer to each of them once.
        as_array: Makes the value of an array from a read-only NumPy array, its kind, and whether its type is weak.
        caps: The limits.

    Raises:
        TamperFault: The tree is of no known form, or over a limit.
    """
    return _Reader(buffers, as_array, caps).read(tree, 0)


def refuse(what: str) -> NoReturn:
    """Raises the fault of a message that no honest agent writes."""
    raise TamperFault(f"A message from the box is not of the agreed form: {what}.")


class _Reader:
    """Carries what the recursion of `decode` counts."""

    def __init__(
        self, buffers: Sequence[bytes | memoryview], as_array: Callable[[Any, Kind, bool], Any], caps: Caps
    ) -> None:
        self.buffers = buffers
        self.as_array = as_array
        self.caps = caps
        self.nodes = 0
        self.total = 0
        self.used: set[int] = set()

    def read(self, tree: Tree, depth: int) -> Any:
        self.nodes += 1
        if depth > self.caps.depth or self.nodes > self.caps.nodes:
            refuse("too many values")
        kind = type(tree)
        if tree is None or kind is bool:
            return tree
        if kind is int:
            return tree if -SMALL < tree < SMALL else refuse("a large integer")
        if kind is float:
            return tree if math.isfinite(tree) else refuse("a float that JSON does not have")
        if kind is str:
            return self._text(tree)
        if kind is list:
            return [self.read(item, depth + 1) for item in tree]
        form = tree.get("t") if kind is dict else refuse("no JSON value")
        read = _FORMS.get(form) if type(form) is str else None
        return read(self, tree, depth + 1) if read else refuse("an unknown form")

    def _keys(self, tree: dict[str, Any], *names: str) -> list[Any]:
        if set(tree) != {"t", *names}:
            refuse("missing or unknown keys")
        return [tree[name] for name in names]

    def _text(self, value: Any) -> str:
        if type(value) is not str or len(value) > self.caps.text:
            refuse("no text, or too long")
        return value

    def _items(self, value: Any) -> list[Any]:
        return value if type(value) is list else refuse("no list")

    def _int(self, tree: dict[str, Any], depth: int) -> int:
        (text,) = self._keys(tree, "v")
        try:
            return int(self._text(text), 16)
        except ValueError:
            refuse("a malformed integer")

    def _float(self, tree: dict[str, Any], depth: int) -> float:
        (text,) = self._keys(tree, "v")
        return _FLOATS[text] if self._text(text) in _FLOATS else refuse("a malformed float")

    def _complex(self, tree: dict[str, Any], depth: int) -> complex:
        (items,) = self._keys(tree, "items")
        parts = [self.read(item, depth) for item in self._items(items)]
        if len(parts) != 2 or not all(type(part) is float for part in parts):
            refuse("a malformed complex number")
        return complex(parts[0], parts[1])

    def _bytes(self, tree: dict[str, Any], depth: int) -> bytes:
        (index,) = self._keys(tree, "buffer")
        return bytes(self._buffer(index))

    def _tuple(self, tree: dict[str, Any], depth: int) -> tuple[Any, ...]:
        (items,) = self._keys(tree, "items")
        return tuple([self.read(item, depth) for item in self._items(items)])

    def _named(self, tree: dict[str, Any], depth: int) -> tuple[Any, ...]:
        name, fields, items = self._keys(tree, "name", "fields", "items")
        for text in (name, *self._items(fields)):
            self._text(text)
        if len(fields) != len(self._items(items)):
            refuse("fields and values that do not pair")
        return tuple([self.read(item, depth) for item in items])

    def _dict(self, tree: dict[str, Any], depth: int) -> dict[Any, Any]:
        (items,) = self._keys(tree, "items")
        found: dict[Any, Any] = {}
        for pair in self._items(items):
            if type(pair) is not list or len(pair) != 2:
                refuse("a malformed dictionary")
            key = self.read(pair[0], depth)
            if not may_be_key(key):
                refuse("a key that is no plain value")
            if key in found:
                refuse("a repeated key")
            found[key] = self.read(pair[1], depth)
        return found

    def _aval(self, tree: dict[str, Any], depth: int) -> Aval:
        dtype, shape = self._keys(tree, "dtype", "shape")
        return Aval(self._dtype(dtype).name, self._shape(shape))

    def _opaque(self, tree: dict[str, Any], depth: int) -> Opaque:
        name, text = self._keys(tree, "type", "repr")
        return Opaque(self._text(name), self._text(text))

    def _array(self, tree: dict[str, Any], depth: int) -> Any:
        name, sizes, weak, kind, index = self._keys(tree, "dtype", "shape", "weak", "kind", "buffer")
        dtype, shape = self._dtype(name), self._shape(sizes)
        if type(weak) is not bool or type(kind) is not str or kind not in ("jax", "numpy", "scalar"):
            refuse("an unknown kind of array")
        if kind == "scalar" and shape:
            refuse("a scalar with a shape")
        raw = self._buffer(index)
        if raw.nbytes != math.prod(shape) * dtype.itemsize:
            refuse("an array whose buffer has another size")
        if dtype.kind == "b" and raw.nbytes and max(raw) > 1:
            refuse("a boolean that is neither true nor false")
        try:
            array = np.ndarray(shape, dtype.newbyteorder("<"), buffer=raw)
        except ValueError:
            refuse("an impossible shape")
        array.flags.writeable = False
        return self.as_array(array, kind, weak)  # type: ignore[arg-type]  # narrowed above to the three kinds

    def _dtype(self, name: Any) -> np.dtype[Any]:
        found = DTYPES.get(name) if type(name) is str else None
        return found if found is not None else refuse("a dtype that may not cross")

    def _shape(self, sizes: Any) -> tuple[int, ...]:
        if len(self._items(sizes)) > _MAX_RANK or not all(type(n) is int and 0 <= n < _MAX_SIZE for n in sizes):
            refuse("a malformed shape")
        return tuple(sizes)

    def _buffer(self, index: Any) -> memoryview:
        if type(index) is not int or not 0 <= index < len(self.buffers) or index in self.used:
            refuse("a buffer that is missing or used twice")
        self.used.add(index)
        raw = memoryview(self.buffers[index])
        if not raw.c_contiguous:
            refuse("a buffer with gaps")
        self.total += raw.nbytes
        if raw.nbytes > self.caps.buffer or self.total > self.caps.total:
            refuse("too many bytes")
        return raw.cast("B").toreadonly()


_FORMS: dict[str, Callable[[_Reader, dict[str, Any], int], Any]] = {
    "int": _Reader._int,
    "float": _Reader._float,
    "complex": _Reader._complex,
    "bytes": _Reader._bytes,
    "tuple": _Reader._tuple,
    "named": _Reader._named,
    "dict": _Reader._dict,
    "aval": _Reader._aval,
    "opaque": _Reader._opaque,
    "array": _Reader._array,
}
