"""The agent in the replay box: describes, runs and disturbs exported programs; no student code ever runs beside it.

| op | request | answer |
|---|---|---|
| `describe` | | `structure`: see `autograder.program.structure` |
| `run` | `inputs` | `outputs`: one list of flat outputs per list of flat inputs |
| `disturb` | `inputs`, `target`: see `autograder.program.change.read_target` | `outputs`: a list as of `run` per run |
| `trips` | `inputs`, `id` of a loop | `trips`: how often its body ran, per input; `null` if that cannot be counted |
| `environment` | | `python`, `jax`, `jaxlib`, `numpy` |

Buffer 0 is the artifact.
"""

from __future__ import annotations

import hashlib
import math
import platform
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any, Generic, TypeVar

import jax
import numpy as np

from autograder.faults import CourseFault, Fault
from autograder.program.artifact import Program, open_artifact
from autograder.program.change import Change, changed, read_loop, read_target, structure_of
from autograder.program.execute import Array, NotRunnable, Run, compiled
from autograder.program.rewrite import NotReachable
from autograder.program.structure import Structure, structure_form
from autograder.wire import CAPS, DTYPES, Aval, decode, encode, fault_form, raised

MOST_PROGRAMS = 16
MOST_COMPILED = 64

T = TypeVar("T")
Content = Mapping[str, Any]


class ReplayAgent:
    """Answers requests about exported programs; see `autograder.link.Agent`."""

    def __init__(self) -> None:
        self._opened: _Kept[Program] = _Kept(MOST_PROGRAMS)
        self._structures: _Kept[Structure] = _Kept(MOST_PROGRAMS)
        self._compiled: _Kept[tuple[Run, bool]] = _Kept(MOST_COMPILED)
        self._answers: Mapping[str, Callable[[Content, Sequence[bytes], list[bytes]], dict[str, Any]]] = {
            "describe": self._describe,
            "run": self._run,
            "disturb": self._disturb,
            "trips": self._trips,
            "environment": self._environment,
        }

    def handle(self, content: Content, buffers: Sequence[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        """Answers one request. A failure is an answer with the key `fault`, never an exception."""
        sent: list[bytes] = []
        try:
            answer = self._answers.get(str(content.get("op")))
            if answer is None:
                raise Fault("The replay agent does not know this operation.")
            return answer(content, buffers, sent), sent
        except Exception as error:  # what is hostile may fail anywhere
            return fault_form(_fault_of(error, content.get("op"))), []

    def _describe(self, content: Content, buffers: Sequence[bytes], sent: list[bytes]) -> dict[str, Any]:
        digest, program = self._open(buffers)
        return {"structure": structure_form(self._structure(digest, program))}

    def _run(self, content: Content, buffers: Sequence[bytes], sent: list[bytes]) -> dict[str, Any]:
        digest, program = self._open(buffers)
        inputs = _read_inputs(content, buffers, program.in_avals)
        _check_output_size(program, len(inputs))
        run = self._compile(digest, program)
        return {"outputs": [_write(run(flat), sent) for flat in inputs]}

    def _disturb(self, content: Content, buffers: Sequence[bytes], sent: list[bytes]) -> dict[str, Any]:
        digest, program = self._open(buffers)
        inputs = _read_inputs(content, buffers, program.in_avals)
        target = read_target(content.get("target"), self._structure(digest, program), inputs=len(inputs))
        _check_output_size(program, len(inputs) * len(target.settings))
        try:
            run, _ = self._change(digest, program, target.change)
        except NotReachable:  # nothing can be changed there, so nothing is
            run = self._compile(digest, program)
            target = replace(target, settings=(((),) * len(inputs),) * len(target.settings))
        outputs = [
            [_write(run([*flat, *further])[: len(program.out_avals)], sent) for flat, further in _with(inputs, numbers)]
            for numbers in target.settings
        ]
        return {"outputs": outputs}

    def _trips(self, content: Content, buffers: Sequence[bytes], sent: list[bytes]) -> dict[str, Any]:
        digest, program = self._open(buffers)
        inputs = _read_inputs(content, buffers, program.in_avals)
        target = read_loop(content, self._structure(digest, program), inputs=len(inputs))
        try:
            run, counts = self._change(digest, program, target.change)
        except NotReachable:
            counts = False
        if not counts:
            return {"trips": None}
        return {"trips": [int(run([*flat, *further])[-1]) for flat, further in _with(inputs, target.settings[0])]}

    def _environment(self, content: Content, buffers: Sequence[bytes], sent: list[bytes]) -> dict[str, Any]:
        versions = {"jax": jax.__version__, "jaxlib": version("jaxlib"), "numpy": np.__version__}
        return {"python": platform.python_version(), **versions}

    def _open(self, buffers: Sequence[bytes]) -> tuple[str, Program]:
        """Opens the artifact of a request, once."""
        if not buffers:
            raise Fault("A request to the replay agent carries no program.")
        artifact = bytes(buffers[0])
        digest = hashlib.sha256(artifact).hexdigest()
        return digest, self._opened.get(digest, lambda: open_artifact(artifact))

    def _structure(self, digest: str, program: Program) -> Structure:
        """Describes a program, once."""
        return self._structures.get(digest, lambda: structure_of(program))

    def _compile(self, digest: str, program: Program) -> Run:
        """Compiles the program as it is, once."""
        return self._compiled.get((digest, None), lambda: (compiled(program), False))[0]

    def _change(self, digest: str, program: Program, change: Change) -> tuple[Run, bool]:
        """Compiles the changed program, once; says as well whether its last output counts trips."""

        def make() -> tuple[Run, bool]:
            made = changed(program, change)
            return compiled(made.program), made.counts

        return self._compiled.get((digest, change), make)


class _Kept(Generic[T]):
    """What was made last, by key.

    Args:
        most: How many to keep.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Returns what is kept under the key, or makes it."""
        if key not in self._made:
            self._made[key] = make()
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]


def _fault_of(error: Exception, op: Any) -> Fault:
    """Says whose fault an error is: what fails unchanged is the student's, what fails after a change is ours."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, RecursionError):
        return raised("oversized", detail=f"It is nested too deeply: {error}")
    if isinstance(error, NotRunnable) and op == "run":
        return raised("broken", detail=str(error))
    return Fault("The replay agent failed.", detail=f"{type(error).__name__}: {error}")


def _read_inputs(content: Content, buffers: Sequence[bytes], avals: Sequence[Aval]) -> list[list[Array]]:
    """Reads the flat inputs of each run; they must fit the program exactly, but plain numbers take its dtype."""
    trees = content.get("inputs")
    if not isinstance(trees, list):
        raise Fault("A request to run a program carries no inputs.")
    runs = []
    for tree in trees:
        flat = decode(tree, buffers)
        if not isinstance(flat, list | tuple) or len(flat) != len(avals):
            raise CourseFault(f"The program takes {len(avals)} inputs; the suite gives other ones.")
        runs.append([_fit(value, aval) for value, aval in zip(flat, avals, strict=True)])
    return runs


def _fit(value: Any, aval: Aval) -> Array:
    if type(value) in (bool, int, float, complex) and aval.shape == ():
        try:
            np.asarray(value).astype(DTYPES[aval.dtype], casting="same_kind")
            return np.array(value, DTYPES[aval.dtype])
        except (TypeError, OverflowError) as error:
            raise CourseFault(
                f"The suite gives a number that does not fit where the program takes {aval.dtype}."
            ) from error
    if not isinstance(value, np.ndarray | np.generic) or (value.dtype.name, value.shape) != (aval.dtype, aval.shape):
        raise CourseFault(f"The suite gives something else where the program takes {aval.dtype}{list(aval.shape)}.")
    return np.asarray(value)


def _with(
    inputs: Sequence[list[Array]], numbers: Sequence[tuple[int, ...]]
) -> Iterator[tuple[list[Array], list[Array]]]:
    """Yields the inputs of each run, and the numbers that a changed program takes behind them."""
    for flat, further in zip(inputs, numbers, strict=True):
        yield flat, [np.asarray(number, np.int32) for number in further]


def _check_output_size(program: Program, runs: int) -> None:
    """Refuses before running what could not be sent."""
    size = sum(math.prod(aval.shape) * DTYPES[aval.dtype].itemsize for aval in program.out_avals)
    if size * runs > CAPS.buffer:
        raise raised("oversized", detail=f"It returns {size} bytes in each of {runs} runs.")


def _write(outputs: Sequence[Array], sent: list[bytes]) -> Any:
    return encode(list(outputs), into=sent, numpy_as="numpy")[0]
