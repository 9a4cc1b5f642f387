"""Why JAX traced a function anew, told from its own explanation of a cache miss: for people to read, never for marks."""

from __future__ import annotations

import logging
import re
from contextlib import ExitStack
from types import TracebackType

import jax

_START = "TRACING CACHE MISS"
_SEEN = re.compile(r"^  for (?P<name>.+?)(?: defined at .*)?$", re.MULTILINE)
_NEVER = re.compile(r"^  never seen function:\n\s*(?P<name>.+?) id=", re.MULTILINE)
_TYPES = re.compile(
    r"\* at (?P<where>.+?), now (?P<now>.+?) and before (?P<before>.+?)(?:https?://\S*)?$", re.MULTILINE
)
_AVAL = re.compile(r"^(?P<dtype>\w+)\[(?P<shape>[^\]]*)\]")
_WEAK = "weak_type=True"


class CacheMisses(logging.Handler):
    """Collects JAX's explanations while it is entered as a context manager.

    Turning them on changes no cache: a program that was compiled before stays compiled.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._pending: list[tuple[str, str]] = []
        self._undo = ExitStack()

    def __enter__(self) -> CacheMisses:
        logger = logging.getLogger("jax")
        self._undo.callback(setattr, logger, "propagate", logger.propagate)
        logger.propagate = False  # the explanation is not to appear in the notebook
        logger.addHandler(self)
        self._undo.callback(logger.removeHandler, self)
        self._undo.enter_context(jax.explain_cache_misses(True))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._undo.close()
        self._pending.clear()

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps the record when it explains a cache miss."""
        text = record.getMessage()
        found = _NEVER.search(text) or _SEEN.search(text)
        if text.startswith(_START) and found:
            self._pending.append((found["name"], text))

    def cause_of(self, program: str) -> str:
        """Returns one sentence on why a program was compiled just now, and forgets what was collected for it.

        Args:
            program: What JAX calls it: `jit(f)`.
        """
        function = program.removeprefix("jit(").removesuffix(")")
        texts = [text for name, text in self._pending if name == function]
        self._pending.clear()
        return explain(function, texts[-1]) if texts else ""


def explain(function: str, text: str) -> str:
    """Turns JAX's explanation into a sentence that names the argument and what about it changed.

    Args:
        function: The function's name.
        text: JAX's explanation, several lines.
    """
    if _NEVER.search(text):
        again = " Each `jax.jit` of a newly made function starts afresh." if "but seen another" in text else ""
        return f"{function} is new to JAX, so it has to be compiled.{again}"
    changes = [_change(found["where"], found["now"], found["before"]) for found in _TYPES.finditer(text)]
    if changes and "different input types" in text:
        return f"{function}: " + "; ".join(changes) + "."
    structure = _TYPES.search(text) if "different input pytree" in text else None
    if structure:
        return f"{function}: {_place(structure['where'])} have another structure{_symmetric(text)}."
    return f"{function}: something other than shape and dtype changed, such as the value of a static argument."


def _change(where: str, now: str, before: str) -> str:
    """Says which attributes of one argument differ."""
    new, old = _AVAL.match(now), _AVAL.match(before)
    if new is None or old is None:
        return f"argument {where} changed"
    changed = [f"{key} {old[key] or '()'} -> {new[key] or '()'}" for key in ("shape", "dtype") if new[key] != old[key]]
    if (_WEAK in now) != (_WEAK in before):
        changed.append("weak type " + ("strong -> weak" if _WEAK in now else "weak -> strong"))
    return f"argument {where} changed its " + " and its ".join(changed or ["sharding"])


def _place(path: str) -> str:
    """Says in words where in the arguments a structure differs: JAX's path starts at the pair (args, kwargs)."""
    if path.startswith("[1]"):
        return "the keyword arguments" + path[3:]
    return "the positional arguments" + path.removeprefix("[0]")


def _symmetric(text: str) -> str:
    """Returns the keys that only one of two dictionaries has."""
    found = re.search(r"symmetric difference of key sets: \{(.*?)\}", text)
    return f" (only one of the two calls has {found[1]})" if found else ""
