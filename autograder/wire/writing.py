"""Values are written as a tree and buffers; what cannot cross becomes an opaque stand-in: writing never fails."""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder.wire.forms import CAPS, DTYPES, SMALL, AsNumpy, Aval, Caps, Kind, Opaque, Tree, may_be_key


def encode(
    value: Any, *, into: list[bytes] | None = None, numpy_as: Kind = "numpy", caps: Caps = CAPS
) -> tuple[Tree, list[bytes]]:
    """Writes a value as a JSON tree and the buffers it refers to; what cannot cross becomes an `Opaque`.

    Args:
        value: Any value. Exact built-in types, NumPy and JAX arrays, named tuples and dataclasses keep their content.
        into: Buffers of trees written before, to be sent in the same message; it is appended to and returned.
        numpy_as: `jax` makes NumPy arrays and scalars arrive as strong JAX arrays, except those marked by `as_numpy`.
        caps: The limits.

    Returns:
        The tree and the buffers.
    """
    writer = _Writer([] if into is None else into, numpy_as, caps)
    return writer.write(value, 0), writer.buffers


class _TooMuch(ValueError):
    """Something is over a cap, so a stand-in is written for what holds it."""


class _Writer:
    """Carries what the recursion of `encode` counts."""

    def __init__(self, buffers: list[bytes], numpy_as: Kind, caps: Caps) -> None:
        self.buffers = buffers
        self.numpy_as = numpy_as
        self.caps = caps
        self.left = caps.nodes - 1
        self.total = 0

    def write(self, value: Any, depth: int) -> Tree:
        if depth >= self.caps.depth:
            return self._opaque(value, "nested too deeply")
        try:
            return self._form(value, depth + 1)
        except _TooMuch as error:
            return self._opaque(value, str(error))
        except Exception as error:  # a student's class may raise anything from anywhere
            return self._opaque(value, f"could not be read: {type(error).__name__}")

    def _form(self, value: Any, depth: int) -> Tree:
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            return value if -SMALL < value < SMALL else self._big(value)
        if kind is float:
            return value if math.isfinite(value) else {"t": "float", "v": repr(value)}
        if kind is str:
            return self._text(value)
        if kind is complex:
            return {"t": "complex", "items": self._items([value.real, value.imag], depth)}
        if kind is bytes:
            return {"t": "bytes", "buffer": self._buffer(value)}
        if kind is list:
            return self._items(value, depth)
        if kind is tuple:
            return {"t": "tuple", "items": self._items(value, depth)}
        if kind is dict:
            if not all(may_be_key(key) for key in value):
                return self._opaque(value, None)
            for key in value:
                if type(key) is str:
                    self._text(key)
            keys, values = self._items(list(value), depth), self._items(list(value.values()), depth)
            return {"t": "dict", "items": [list(pair) for pair in zip(keys, values, strict=True)]}
        if kind is Aval:
            return {"t": "aval", "dtype": value.dtype, "shape": list(value.shape)}
        if kind is Opaque:
            return {"t": "opaque", "type": value.type, "repr": value.repr}
        if kind is AsNumpy:
            return self._array(value.value, "scalar" if isinstance(value.value, np.generic) else "numpy", weak=False)
        return self._foreign(value, depth)

    def _foreign(self, value: Any, depth: int) -> Tree:
        if isinstance(value, np.ndarray | np.generic):
            if value.dtype.name not in DTYPES:  # strings and objects: what `tolist` gives is what was meant
                return self.write(str(value) if isinstance(value, np.str_) else value.tolist(), depth)
            own: Kind = "scalar" if isinstance(value, np.generic) else "numpy"
            return self._array(value, "jax" if self.numpy_as == "jax" else own, weak=False)
        jax = sys.modules.get("jax")
        if jax is not None and isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer):
            return self._array(np.asarray(value), "jax", weak=bool(value.weak_type))
        named = fields_of(value)
        if named is not None:
            form = {"t": "named", "name": clean(type(value).__name__, 200), "fields": list(named)}
            return form | {"items": self._items(list(named.values()), depth)}
        return self._opaque(value, None)

    def _items(self, values: Sequence[Any], depth: int) -> list[Tree]:
        """Writes the members of a container, or none when they are more than may still be written."""
        if len(values) > self.left:
            raise _TooMuch("too many values")
        self.left -= len(values)
        return [self.write(value, depth) for value in values]

    def _text(self, value: str) -> str:
        if len(value) > self.caps.text:
            raise _TooMuch("too long a text")
        value.encode()  # a lone surrogate cannot be sent as UTF-8
        return value

    def _big(self, value: int) -> Tree:
        if value.bit_length() > 3 * self.caps.text:
            raise _TooMuch("too many digits")
        return {"t": "int", "v": hex(value)}

    def _array(self, value: Any, kind: Kind, *, weak: bool) -> Tree:
        array = np.asarray(value).view(np.ndarray)
        name = array.dtype.name
        if name not in DTYPES:
            return self._opaque(value, f"an array of {name}")
        raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes(order="C")
        form = {"t": "array", "dtype": name, "shape": list(array.shape), "weak": weak, "kind": kind}
        return form | {"buffer": self._buffer(raw)}

    def _buffer(self, raw: bytes) -> int:
        if len(raw) > self.caps.buffer or self.total + len(raw) > self.caps.total:
            raise _TooMuch("too many bytes")
        self.total += len(raw)
        self.buffers.append(raw)
        return len(self.buffers) - 1

    def _opaque(self, value: Any, why: str | None) -> Tree:
        text = bounded(lambda: repr(value), self.caps.repr) if why is None else why
        return {"t": "opaque", "type": bounded(lambda: type(value).__name__, 200), "repr": text}


def fields_of(value: Any) -> dict[str, Any] | None:
    """Returns the fields of a named tuple, a dataclass or an attrs object by name, else `None`."""
    names: Any = getattr(type(value), "_fields", None) if isinstance(value, tuple) else None
    if names is not None:
        return dict(zip(names, tuple(value), strict=True))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
    elif hasattr(type(value), "__attrs_attrs__"):
        names = [attribute.name for attribute in type(value).__attrs_attrs__]
    else:
        return None
    return {name: getattr(value, name) for name in names}


def bounded(text: Callable[[], str], limit: int) -> str:
    """Calls for a text that a student's class may make, and returns its beginning as clean Unicode.

    Args:
        text: Makes the text; it may raise anything.
        limit: Characters to keep.
    """
    try:
        raw = str.__str__(text())
    except Exception as error:
        raw = f"<no text: {type(error).__name__}>"
    return clean(raw, limit)


def clean(text: str, limit: int) -> str:
    """Returns the beginning of a text as Unicode that UTF-8 can hold."""
    kept = text if len(text) <= limit else text[:limit] + "..."
    return kept.encode("utf-8", "backslashreplace").decode()
