"""The student agent answers a grader's requests inside the kernel that ran the student's notebook.

Everything it needs is bound when this module is imported, before any code of a student runs. That is a courtesy to
honest students whose code rebinds a name; the grader trusts none of the answers, only what they prove.
"""

from __future__ import annotations

import platform
import re
import traceback
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import jax
import numpy as np
from jax import clear_caches, device_put, disable_jit, jit
from jaxlib.version import __version__ as jaxlib_version

from autograder.agent.calls import PRINTED, JittedOnce, call
from autograder.agent.drawing import closing_figures, told
from autograder.agent.errors import check_signature, translate
from autograder.agent.export import Exporter
from autograder.agent.purity import FreshRun, examine, run_fresh
from autograder.agent.windows import CompileWindows
from autograder.faults import Fault
from autograder.tools.counting import Compile
from autograder.wire import Aval, Kind, bounded, clean, decode, encode, fault_form, raised

Request = Mapping[str, Any]
Reply = tuple[dict[str, Any], list[bytes]]
Arguments = tuple[tuple[Any, ...], dict[str, Any]]

_MISSING = object()
_JITTED = type(jit(lambda: None))
_NO_KEYWORDS = {"t": "dict", "items": []}
_MOST_EVENTS = 1000
_ENTRY = re.compile(r"(?P<name>\w+)\[(?P<index>\d{1,9})\]")


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
            "compiles": self._compiles,
            "purity": self._purity,
            "clear_caches": self._clear_caches,
            "open_window": self._open_window,
            "close_window": self._close_window,
            "value": self._value,
            "environment": self._environment,
        }

    def handle(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        """Answers one request; a failure of any kind is an answer with the key `fault`."""
        try:
            op = self._ops.get(content.get("op", ""))
            if op is None:
                raise Fault(f"The student agent does not know the operation {content.get('op')!r}.")
            with disable_jit(False):  # a notebook may have it off for debugging: its functions are judged all the same
                return op(content, buffers)
        except Fault as fault:
            return fault_form(fault), []
        except (KeyboardInterrupt, SystemExit) as error:  # may come at any moment, and the client waits for an answer
            return fault_form(raised("raised", type=type(error).__name__)), []
        except BaseException:  # not out of the student's code, so it is a fault of this program
            return fault_form(Fault("The agent failed.", detail=bounded(traceback.format_exc, 4000))), []

    def close(self) -> None:
        """Ends what the agent registered with JAX."""
        self._windows.stop()

    @contextmanager
    def _students_code(self, name: str) -> Iterator[None]:
        """Makes a fault of the student's out of whatever is raised inside."""
        try:
            yield
        except Fault:
            raise
        except BaseException as error:  # KeyboardInterrupt and SystemExit too: the student's code may raise anything
            try:
                fault = translate(error, name, self._namespace)
            except Exception:  # the exception's class may misbehave in every way
                fault = raised("raised", name=name)
            raise fault from None

    def _lookup(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        name = _name(content)
        value = self._find(name)
        jitted = issubclass(type(value), _JITTED)  # what an object says of its class is its own word
        return {
            "found": value is not _MISSING,
            "callable": callable(value),
            "jitted": jitted,
            "type": "" if value is _MISSING else bounded(lambda: type(value).__name__, 200),
        }, []

    def _export(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        name, (args, kwargs) = _name(content), self._arguments(content, buffers)
        function = self._function(name, args, kwargs)
        with self._windows.unseen(), self._students_code(name):
            program = self._exporter.export(function, name, args=args, kwargs=kwargs)
        return {
            "in_avals": [_aval_form(aval) for aval in program.in_avals],
            "out_avals": [_aval_form(aval) for aval in program.out_avals],
            "out_tree": clean(program.out_tree, 10_000),
            "primitives": program.primitives,
        }, [program.artifact]

    def _call(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        name, (args, kwargs) = _name(content), self._arguments(content, buffers)
        function = self._function(name, args, kwargs)
        with self._students_code(name), closing_figures():
            called = call(self._as_asked(content, name, function), args, kwargs)
        printed = clean(called.printed, len(called.printed))
        return self._valued(called.value, printed=printed, deleted=list(called.deleted))

    def _compiles(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        """Makes calls one after the other from fresh caches, in one window, and says what each of them compiled."""
        name, trees = _name(content), content.get("calls")
        if not isinstance(trees, list):
            raise Fault("A request to count compiles has no calls.")
        calls = [self._arguments({"args": tree}, buffers)[0] for tree in trees]
        function = self._function(name, calls[0] if calls else (), {})
        clear_caches()
        window = self._windows.open()
        ends: list[int] = []
        try:
            for args in calls:
                with self._students_code(name):
                    call(self._as_asked(content, name, function), args, {})
                ends.append(self._windows.seen(window))
        finally:
            closed = self._windows.close(window)
        events = [_events(closed.compiles[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
        return {"events": events, "canary": closed.canary}, []

    def _purity(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        name, (args, kwargs) = _name(content), self._arguments(content, buffers)
        function = self._function(name, args, kwargs)
        parameters = [text for text in content.get("parameters", ()) if isinstance(text, str)]

        def run() -> FreshRun:
            return run_fresh(self._exporter, function, name, args=args, kwargs=kwargs)

        with self._windows.unseen(), self._students_code(name):
            found = examine(function, run, namespace=self._namespace, parameters=parameters)
        return {
            "depends_on": [asdict(dependence) for dependence in found.depends_on],
            "changed": [clean(text, 200) for text in found.changed[:100]],
            "printed": clean(found.printed, PRINTED),
            "repeatable": found.repeatable,
        }, []

    def _clear_caches(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        clear_caches()
        return {}, []

    def _open_window(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        return {"window": self._windows.open()}, []

    def _close_window(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        try:
            closed = self._windows.close(content["window"])
        except (KeyError, TypeError):
            raise Fault(f"There is no open window {content.get('window')!r}.") from None
        return {"events": _events(closed.compiles), "canary": closed.canary}, []

    def _value(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        return self._valued(self._defined(_name(content)))

    def _environment(self, content: Request, buffers: Sequence[bytes]) -> Reply:
        return environment(), []

    def _find(self, name: str) -> Any:
        """Returns what a name, or an entry such as `functions[0]`, stands for; a marker where it is nothing."""
        entry = _ENTRY.fullmatch(name)
        if entry is None:
            return self._namespace.get(name, _MISSING)
        entries, index = self._namespace.get(entry["name"], ()), int(entry["index"])
        return entries[index] if type(entries) in (list, tuple) and index < len(entries) else _MISSING

    def _defined(self, name: str) -> Any:
        value = self._find(name)
        if value is _MISSING:
            raise raised("undefined", name=name)
        return value

    def _function(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Callable[..., Any]:
        """Returns a function of the student's that can take these arguments, as far as its signature tells."""
        function = self._defined(name)
        if not callable(function):
            raise raised("uncallable", name=name)
        check_signature(function, name, count=len(args), keywords=kwargs)
        return function  # type: ignore[no-any-return]  # callable is all that is known of it

    def _as_asked(self, content: Request, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns the function as it stands, or jitted as the request says."""
        if content.get("jit") == "anew":
            return jit(function)  # JAX itself finds the programs of a function that it has jitted before
        return self._jitted.of(name, function) if content.get("jit") else function

    def _arguments(self, content: Request, buffers: Sequence[bytes]) -> Arguments:
        """Reads the arguments of a request; what that compiles is in no window."""
        with self._windows.unseen():
            args = decode(content.get("args"), buffers, as_array=as_argument)
            kwargs = decode(content.get("kwargs", _NO_KEYWORDS), buffers, as_array=as_argument)
        if type(args) is not tuple or type(kwargs) is not dict:
            raise Fault("The arguments of a call are a tuple and a dictionary.")
        return args, kwargs

    def _valued(self, value: Any, **more: Any) -> Reply:
        """Writes a value; what that compiles is in no window."""
        with self._windows.unseen():
            tree, written = encode(told(value))
        return {"value": tree} | more, written


def as_argument(array: np.ndarray[Any, Any], kind: Kind, weak: bool) -> Any:
    """Makes an argument of an array that was read: a strong `jax.Array` unless it is marked otherwise."""
    if kind == "jax":
        # `device_put` compiles nothing, which `jnp.asarray` does; of a Python number it makes a weak array
        return device_put(array.item() if weak and not array.shape else array)
    return array[()] if kind == "scalar" else array.copy()


def environment() -> dict[str, str]:
    """Returns the versions of what runs here."""
    return {
        "python": platform.python_version(),
        "jax": jax.__version__,
        "jaxlib": jaxlib_version,
        "numpy": np.__version__,
    }


def _name(content: Request) -> str:
    name = content.get("name")
    if not isinstance(name, str):
        raise Fault("The request names nothing of the student's.")
    return name


def _events(compiles: Sequence[Compile]) -> list[dict[str, str]]:
    return [
        {"name": clean(compiled.name, 200), "cause": clean(compiled.cause, 500)} for compiled in compiles[:_MOST_EVENTS]
    ]


def _aval_form(aval: Aval) -> dict[str, Any]:
    return {"dtype": aval.dtype, "shape": list(aval.shape)}
