"""Which of several calls compile is measured; why is told by comparing each with the nearest call before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.tools.calls import Call
from autograder.tools.causes import NEW_FUNCTION
from autograder.tools.counting import Compile, count_compiles
from autograder.tools.signatures import Change, Signature, distance, signature_of

FIRST_CALL, SAME_SIGNATURE, NEW_FUNCTION_OBJECT = "first call", "same signature", "new function object"
SEEN_BEFORE, UNKNOWN = "compiled before", "unknown"


@dataclass(frozen=True, slots=True)
class ExplainedCall:
    """What came of one call.

    Attributes:
        number: Its place in the list, from 1.
        text: The call as JAX sees it: `scale(float32[3], factor=~float32[])`; a `~` marks a weak type.
        compiles: How many programs were compiled for it: measured, never guessed.
        causes: Why, in words: `first call`, attributes such as `shape` or `weak type`, `new function object`,
            `unknown`; of a call that compiles nothing `same signature` or `compiled before`.
        nearest: Number of the earlier call that it is compared with: the one with the fewest differing attributes, and
            the first of several; 0 for the first call.
        changes: In what it differs from that call.
        jax: What JAX itself says of the compile; may be empty.
    """

    number: int
    text: str
    compiles: int
    causes: tuple[str, ...]
    nearest: int
    changes: tuple[Change, ...]
    jax: str = ""

    @property
    def compiled(self) -> bool:
        """Whether anything was compiled."""
        return self.compiles > 0

    @property
    def what(self) -> str:
        """What was measured as a phrase: `compiled`, `no compile`, or how many programs if there are several."""
        if self.compiles > 1:
            return f"compiled {self.compiles} programs"
        return "compiled" if self.compiled else "no compile"

    @property
    def why(self) -> str:
        """The causes as a phrase, with the argument and what changed about it."""
        same = f"{SAME_SIGNATURE} as in call {self.nearest}"
        known = not self.jax or self.jax.startswith(NEW_FUNCTION)
        phrases: dict[tuple[str, ...], str] = {
            (FIRST_CALL,): FIRST_CALL if known else f"{FIRST_CALL} here; {self.jax}",
            (SAME_SIGNATURE,): same,
            (SEEN_BEFORE,): "its program was there already",
            (NEW_FUNCTION_OBJECT,): f"{NEW_FUNCTION_OBJECT}: {NEW_FUNCTION}",
            (UNKNOWN,): f"{same}; {self.jax or 'a setting, a device or an emptied cache made it compile'}",
        }
        return phrases.get(self.causes) or f"{'; '.join(map(str, self.changes))} (against call {self.nearest})"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Sequence[ExplainedCall]):
    """What came of several calls of one function, in their order; its `repr` is a table to be read.

    Attributes:
        function: The function's name.
        calls: What came of each.
    """

    function: str
    calls: tuple[ExplainedCall, ...]

    def __len__(self) -> int:
        return len(self.calls)

    def __getitem__(self, index: Any) -> Any:
        return self.calls[index]

    @property
    def compiled(self) -> tuple[bool, ...]:
        """For each call whether it compiled."""
        return tuple(one.compiled for one in self.calls)

    def __repr__(self) -> str:
        count = sum(self.compiled)
        return "\n".join([f"{self.function}: {count} of {len(self)} calls compiled", *self._lines()])

    def _lines(self) -> Iterator[str]:
        rows = [(str(one.number), one.text, one.what, one.why) for one in self.calls]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for number, text, what, why in rows:
            yield f"{number:>{widths[0]}}  {text:<{widths[1]}}  {what:<{widths[2]}}  {why}"


def explain_recompile(function: Callable[..., Any], *calls: Call) -> Explanation:
    """Makes calls of a function one after the other, and says which of them compiled, and why.

    Whether a call compiled is measured, from the caches as they stand: a program that was there before is used. The
    cause comes from comparing the call with the nearest earlier one in this list.

    Args:
        function: A jitted function, or a Python function that calls some.
        calls: The calls: `call(x)`, `call(x, mode="b")`.

    Raises:
        TypeError: A call is no `call(...)`, or has arguments that the function does not take.
        Exception: Whatever the function raises.
    """
    name = getattr(function, "__name__", type(function).__name__)
    explained: list[ExplainedCall] = []
    seen: list[Signature] = []
    for number, made in enumerate(calls, start=1):
        if not isinstance(made, Call):
            raise TypeError(f"Call {number} is of type {type(made).__name__}; write `call(...)` with its arguments.")
        signature = signature_of(function, made)
        with count_compiles() as compiles:
            try:
                function(*made.args, **made.kwargs)
            except Exception as error:
                error.add_note(f"This was call {number} of explain_recompile: {name}({signature})")
                raise
        explained.append(_explained(number, f"{name}({signature})", signature, seen=seen, events=compiles.events))
        seen.append(signature)
    return Explanation(name, tuple(explained))


def _explained(
    number: int, text: str, signature: Signature, *, seen: Sequence[Signature], events: Sequence[Compile]
) -> ExplainedCall:
    """Names the cause of what was measured."""
    found = [signature.changes_since(earlier) for earlier in seen]
    nearest = min(range(len(found)), key=lambda place: distance(found[place]), default=-1)
    changes = found[nearest] if found else ()
    jax = "; ".join(dict.fromkeys(event.cause for event in events if event.cause))
    return ExplainedCall(number, text, len(events), _causes(bool(seen), changes, events), nearest + 1, changes, jax)


def _causes(later: bool, changes: Sequence[Change], events: Sequence[Compile]) -> tuple[str, ...]:
    if not events:
        return (SAME_SIGNATURE,) if later and not changes else (SEEN_BEFORE,)
    if not later:
        return (FIRST_CALL,)
    if all(event.cause.startswith(NEW_FUNCTION) for event in events):
        return (NEW_FUNCTION_OBJECT,)  # it would have compiled for any arguments
    return tuple(dict.fromkeys(change.attribute for change in changes)) or (UNKNOWN,)
