"""The student agent answers a grader's requests inside the kernel that ran the student's notebook.

Everything it needs is bound when this module is imported, before any code of a student runs. That is a courtesy to honest
students whose code rebinds a name; the grader trusts none of the answers, only what they prove.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

import jax
import jaxlib
import numpy as np
from jax import clear_caches, device_put

from autograder.agent.calls import JittedOnce, call
from autograder.agent.errors import translate
from autograder.agent.export import Exporter
from autograder.agent.windows import CompileWindows
from autograder.faults import Fault, RaisedFault
from autograder.wire import Aval, Kind, bounded, decode, encode, fault_form

Request = Mapping[str, Any]
Reply = tuple[dict[str, Any], list[bytes]]

_MISSING = object()


class StudentAgent:
    """Answers the operations that `docs/architecture.md` lists for the student agent.

    Args:
        namespace: The globals in which the student's cells ran; read anew at every request.
    """

    def __init__(self, namespace: MutableMapping[str, Any]) -> None:
        self._namespace = namespace
        self._windows = CompileWindows()
        self._exporter = Exporter()
        self._jitted = JittedOnce()
        self._ops: Mapping[str, Callable[[Request, Sequence[bytes]], Reply]] = {
            "lookup": self._lookup,
            "export": self._export,
            "call": self._call,
            "clear_caches": self._clear_caches,
            "open_window": self._open_window,
            "close_window": self._close_window,
            "value": self._value,
            "environment": self._environment,
        }

    def handle(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        """Answers one request; a failure of any kind is an answer with the key `fault`."""
        name = content.get("name", "")
        try:
            op = self._ops.get(content.get("op", ""))
            if op is None:
                raise Fault(f"The student agent does not know the operation {content.get('op')!r}.")
            return op(content, buffers)
        except Fault as fault:
            return fault_form(fault), []
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: the student's code may raise anything
            return fault_form(self._translated(error, str(name), content.get("op") == "export")), []

    def close(self) -> None:
        """Ends what the agent registered with JAX."""
        self._windows.stop()

    def _translated(self, error: BaseException, name: str, quote: bool) -> Fault:
        try:
            return translate(error, name, self._namespace, quote=quote)
        except Exception as second:  # an exception's class may misbehave in every way
            return RaisedFault(f"`{name}` raised an exception that cannot be read.", detail=type(second).__name__)

    def _lookup(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        value = self._namespace.get(content["name"], _MISSING)
        return {
            "found": value is not _MISSING,
            "callable": callable(value),
            "jitted": callable(value) and callable(getattr(value, "lower", None)),
            "type": "" if value is _MISSING else bounded(lambda: type(value).__name__, 200),
        }, []

    def _export(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        args, kwargs = self._arguments(content, buffers)
        with self._windows.unseen():
            program = self._exporter.export(self._function(content["name"]), args, kwargs)
        return {
            "in_avals": [_aval_form(aval) for aval in program.in_avals],
            "out_avals": [_aval_form(aval) for aval in program.out_avals],
            "out_tree": bounded(lambda: program.out_tree, 10_000),
            "primitives": program.primitives,
        }, [program.artifact]

    def _call(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        args, kwargs = self._arguments(content, buffers)
        function = self._function(content["name"])
        if content.get("jit"):
            function = self._jitted.of(content["name"], function)
        called = call(function, args, kwargs)
        return self._valued(called.value, printed=bounded(lambda: called.printed, 10_000))

    def _clear_caches(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        clear_caches()
        return {}, []

    def _open_window(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        return {"window": self._windows.open()}, []

    def _close_window(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        try:
            closed = self._windows.close(content["window"])
        except KeyError:
            raise Fault(f"There is no open window {content.get('window')!r}.") from None
        events = [
            {"name": bounded(lambda item=item: item.name, 200), "cause": bounded(lambda item=item: item.cause, 500)}  # type: ignore[misc]
            for item in closed.compiles[:1000]
        ]
        return {"events": events, "canary": closed.canary}, []

    def _value(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        name = content["name"]
        if name not in self._namespace:
            raise RaisedFault(f"`{name}` is not defined.", type="NameError")
        return self._valued(self._namespace[name])

    def _environment(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        return environment(), []

    def _function(self, name: str) -> Callable[..., Any]:
        function = self._namespace.get(name, _MISSING)
        if function is _MISSING:
            raise RaisedFault(f"`{name}` is not defined.", type="NameError")
        if not callable(function):
            raise RaisedFault(f"`{name}` is no function.", type="TypeError")
        return function  # type: ignore[no-any-return]  # callable is all that is known of it

    def _arguments(self, content: Request, buffers: Sequence[bytes]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Reads the arguments of a request; what that compiles is in no window."""
        with self._windows.unseen():
            args = decode(content["args"], buffers, as_array=as_argument)
            kwargs = decode(content.get("kwargs", {"t": "dict", "items": []}), buffers, as_array=as_argument)
        if type(args) is not tuple or type(kwargs) is not dict:
            raise Fault("The arguments of a call are a tuple and a dictionary.")
        return args, kwargs

    def _valued(self, value: Any, **more: Any) -> Reply:
        """Writes a value; what that compiles is in no window."""
        with self._windows.unseen():
            tree, written = encode(value)
        return {"value": tree} | more, written


def as_argument(array: np.ndarray[Any, Any], kind: Kind, weak: bool) -> Any:
    """Makes an argument of an array that was read: a strong `jax.Array` unless it is marked otherwise."""
    if kind == "jax":
        # `device_put` compiles nothing, which `jnp.asarray` does; of a Python number it makes a weak array
        return device_put(array.item() if weak and not array.shape else array)
    return array[()] if kind == "scalar" else array.copy()


def environment() -> dict[str, Any]:
    """Returns the versions of what runs here."""
    return {
        "python": platform.python_version(),
        "jax": jax.__version__,
        "jaxlib": jaxlib.__version__,
        "numpy": np.__version__,
    }


def _aval_form(aval: Aval) -> dict[str, Any]:
    return {"dtype": aval.dtype, "shape": list(aval.shape)}
