"""Why JAX traced a function anew, told from its own explanation of a cache miss: to be read, never for marks."""

from __future__ import annotations

import logging
import re
from contextlib import ExitStack, suppress
from types import TracebackType

import jax

_START = "TRACING CACHE MISS"
_SEEN = re.compile(r"^  for (?P<name>.+?)(?: defined at .*)?$", re.MULTILINE)
_NEVER = re.compile(r"^  never seen function:\n\s*(?P<name>.+?) id=", re.MULTILINE)
_CHANGES = re.compile(
    r"\* at (?P<where>.+?), now (?P<now>.+?) and before (?P<before>.+?)(?:https?://\S*)?$", re.MULTILINE
)
_AVAL = re.compile(r"^(?P<dtype>\w+)\[(?P<shape>[^\]]*)\]")
_WEAK = "weak_type=True"
NEW_FUNCTION = "JAX has not seen this function before"
"""How the phrase begins that says so; whatever the arguments are, such a function is compiled."""

_STATIC = "the same shapes and dtypes, but something static differs, such as the value of a static argument"


class CacheMisses(logging.Handler):
    """Collects JAX's explanations while it is entered as a context manager.

    Turning them on changes no cache: a program that was compiled before stays compiled.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._pending: list[tuple[str, str]] = []
        self._undo = ExitStack()

    def __enter__(self) -> CacheMisses:
        with suppress(Exception):  # without explanations the count is as right as with them
            self._listen()
        return self

    def _listen(self) -> None:
        logger = logging.getLogger("jax")
        self._undo.callback(setattr, logger, "propagate", logger.propagate)
        logger.propagate = False  # the explanation is not to appear in the notebook
        logger.addHandler(self)
        self._undo.callback(logger.removeHandler, self)
        self._undo.enter_context(jax.explain_cache_misses(True))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(Exception):  # as above
            self._undo.close()
        self._pending.clear()

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps the record when it explains a cache miss."""
        with suppress(Exception):  # an explanation that cannot be read must not break what it explains
            self._keep(record.getMessage())

    def _keep(self, text: str) -> None:
        found = _NEVER.search(text) or _SEEN.search(text)
        if text.startswith(_START) and found:
            self._pending.append((found["name"], text))

    def cause_of(self, program: str) -> str:
        """Returns a phrase on why a program was compiled just now, and forgets what was collected for it.

        Args:
            program: What JAX calls it: `jit(f)`.
        """
        function = program.removeprefix("jit(").removesuffix(")")
        texts = [text for name, text in self._pending if name == function]
        self._pending.clear()
        with suppress(Exception):  # as in `emit`
            return explain(texts[-1]) if texts else ""
        return ""


def explain(text: str) -> str:
    """Turns JAX's explanation into a phrase that names the argument and what about it changed.

    Args:
        text: JAX's explanation, several lines.
    """
    if _NEVER.search(text):
        again = (
            "; each `jax.jit` of a function made anew starts with an empty cache" if "but seen another" in text else ""
        )
        return f"{NEW_FUNCTION}{again}"
    if "with pytree metadata Static(" in text:
        return _STATIC
    changes = [found.groupdict() for found in _CHANGES.finditer(text)]
    if changes and "different input types" in text:
        return ", ".join(_change(**change) for change in changes)
    if changes and "different input pytree" in text:
        return _structure(**changes[0])
    return _STATIC


def _change(where: str, now: str, before: str) -> str:
    """Says which attributes of one argument differ."""
    new, old = _AVAL.match(now), _AVAL.match(before)
    if new is None or old is None:
        return f"argument {where} changed"
    changed = []
    if new["shape"] != old["shape"]:
        changed.append(f"shape ({old['shape']}) -> ({new['shape']})")
    if new["dtype"] != old["dtype"]:
        changed.append(f"dtype {old['dtype']} -> {new['dtype']}")
    if (_WEAK in now) != (_WEAK in before):
        changed.append("weak type " + ("no -> yes" if _WEAK in now else "yes -> no"))
    return f"argument {where} changed: " + " and ".join(changed or ["its sharding"])


def _structure(where: str, now: str, before: str) -> str:
    """Says where the structure of the arguments differs.

    Args:
        where: JAX's path, which starts at the pair of positional and keyword arguments: `input path [0][1]`.
        now: What it is now, in JAX's words.
        before: What it was.
    """
    found = re.search(r"symmetric difference of key sets: \{(.*?)\}", now + before)
    keys = found[1] if found else ""
    path = re.match(r"(?:input path )?\[(?P<group>[01])\](?P<rest>.*)", where)
    if path and not path["rest"]:
        group = "positional" if path["group"] == "0" else "keyword"
        return f"{group} arguments changed: " + (f"{keys} is given in one call alone" if keys else "another number")
    number = re.fullmatch(r"\[(\d+)\]", path["rest"]) if path else None
    which = f"argument {int(number[1]) + 1}" if number else f"an argument ({where})"
    kinds = [found[1] for found in (re.search(r"<class '(\w+)'>", text) for text in (before, now)) if found]
    how = f"key {keys}" if keys else " -> ".join(kinds)
    return f"{which} changed its structure" + (f": {how}" if how else "")
