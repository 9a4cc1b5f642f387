"""A function leaves the process as a program: traced afresh with every argument dynamic, then serialised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jax import ShapeDtypeStruct, clear_caches, config, debug, jit, make_jaxpr
from jax.export import export

from autograder.agent.jaxpr import count_primitives, equations
from autograder.agent.leaves import flatten
from autograder.wire import Aval, raised

CALLBACKS = ("pure_callback", "io_callback")
"""Primitives that call back into Python: a program that holds one cannot leave the process."""

LARGEST = 32 << 20
"""Bytes of a program; thousands of times what an exercise needs."""


@dataclass(frozen=True, slots=True)
class Program:
    """An exported function.

    Attributes:
        artifact: What `jax.export` serialised.
        in_avals: Its flat arguments.
        out_avals: Its flat results.
        out_tree: Structure of the result, for people.
        primitives: How often each primitive occurs in the jaxpr, nested ones included.
    """

    artifact: bytes
    in_avals: tuple[Aval, ...]
    out_avals: tuple[Aval, ...]
    out_tree: str
    primitives: dict[str, int]


class Exporter:
    """Exports functions; holds JAX's debug primitives, so as to silence them meanwhile."""

    def __init__(self) -> None:
        def speak(x: Any) -> None:
            debug.print("{}", x)
            debug.callback(lambda value: None, x)

        # JAX does not publish these primitives, but whoever traces them once can read them off
        self._debug: list[Any] = [equation.primitive for equation in equations(make_jaxpr(speak)(0.0))]

    def export(
        self, function: Callable[..., Any], name: str, *, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Program:
        """Exports `function(*args, **kwargs)` as a program of the abstract values in its arguments.

        Args:
            function: The student's function, jitted or not.
            name: What the student calls it.
            args: Its arguments: each `Aval` in them becomes an argument of the program, in order; any other value is
                built into the program.
            kwargs: Likewise.

        Raises:
            RaisedFault: The program calls back into Python, or makes static what has to be traced.
            Exception: Whatever the function raises while it is traced.
        """
        specs: list[Any] = []
        call = _placeholders((args, dict(kwargs)), specs)
        trees: list[str] = []

        def program(*flat: Any) -> list[Any]:
            given, named = _filled(call, iter(flat))
            leaves: list[Any] = []
            trees[:] = [flatten(function(*given, **named), leaves)]
            return leaves

        with self.fresh(), _no_locations():
            jitted = jit(program)
            primitives = count_primitives(jitted.trace(*specs).jaxpr)
            if any(name in primitives for name in CALLBACKS):
                raise raised("callback", name=name)
            exported = export(jitted, platforms=["cpu"])(*specs)
        if len(exported.in_avals) != len(specs):
            raise raised("static", name=name)
        artifact = bytes(exported.serialize())
        if len(artifact) > LARGEST:
            raise raised("size", name=name, detail=f"{len(artifact)} bytes")
        return Program(
            artifact=artifact,
            in_avals=tuple(_aval(aval) for aval in exported.in_avals),
            out_avals=tuple(_aval(aval) for aval in exported.out_avals),
            out_tree=trees[0],
            primitives=primitives,
        )

    @contextmanager
    def fresh(self) -> Iterator[None]:
        """Traces afresh what is called inside, and makes JAX's debug output leave nothing: a right answer may print."""
        clear_caches()  # a function traced before would give its old program, with the globals of that time
        for primitive in self._debug:
            primitive.bind = lambda *args, **params: []
        try:
            yield
        finally:
            for primitive in self._debug:
                del primitive.bind
            clear_caches()  # what was traced in silence would stay silent


def is_abstract(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Tells whether there is an `Aval` in the arguments, so that they can be exported for and not called with."""
    specs: list[Any] = []
    _placeholders((args, dict(kwargs)), specs)
    return bool(specs)


@contextmanager
def _no_locations() -> Iterator[None]:
    """Leaves source locations out of a program: it has no paths of this machine, and equal code gives equal bytes."""
    kept = config.jax_traceback_in_locations_limit  # type: ignore[attr-defined]  # JAX makes it at run time
    config.update("jax_traceback_in_locations_limit", 0)
    try:
        yield
    finally:
        config.update("jax_traceback_in_locations_limit", kept)


@dataclass(frozen=True, slots=True)
class _Slot:
    """Stands in a function's arguments for the next argument of the program."""


_SLOT = _Slot()


def _placeholders(value: Any, specs: list[Any]) -> Any:
    """Replaces what the program takes by slots, and appends what to trace it with."""
    if isinstance(value, Aval):
        specs.append(ShapeDtypeStruct(value.shape, value.dtype))
        return _SLOT
    return _rebuilt(value, lambda item: _placeholders(item, specs))


def _filled(value: Any, flat: Iterator[Any]) -> Any:
    """Replaces the slots by the program's arguments, in order."""
    return next(flat) if value is _SLOT else _rebuilt(value, lambda item: _filled(item, flat))


def _rebuilt(value: Any, change: Callable[[Any], Any]) -> Any:
    """Applies a function to the members of a container; anything else stays as it is."""
    if type(value) in (tuple, list):
        return type(value)([change(item) for item in value])
    if type(value) is dict:
        return {key: change(item) for key, item in value.items()}
    return value


def _aval(aval: Any) -> Aval:
    return Aval(str(aval.dtype), tuple(int(size) for size in aval.shape))
