"""The text of a program is written for people: loops and conditionals are marked at the end of their line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

MOST_LINES = 40
"""Lines of one part that are printed; a notebook's HTML folds the parts and holds all lines."""

_MARK = "  # <-- "
_TITLES = {"jaxpr": "jaxpr", "stablehlo": "StableHLO", "hlo": "compiled HLO"}
_HEADS = {
    "jaxpr": re.compile(r" = (?P<op>while|scan|cond)\["),
    "stablehlo": re.compile(r'^\s*(?:%\S+ = )?"?stablehlo\.(?P<op>while|case|if)"?\('),
    "hlo": re.compile(r"^\s*(?:ROOT )?%?\S+ = [^\"]*? (?P<op>while|conditional)\("),
}
"""How a line begins that holds a loop or conditional: the operation itself, not a name in which the word occurs."""

_LOOPS = {"while", "scan"}


def marked(part: str, text: str) -> Iterator[str]:
    """Yields the lines of a part, with a mark on each that begins a loop or conditional.

    Args:
        part: `jaxpr`, `stablehlo` or `hlo`.
        text: Its text.
    """
    for line in text.splitlines():
        found = _HEADS[part].search(line)
        yield line if found is None else f"{line}{_MARK}{'loop' if found['op'] in _LOOPS else 'conditional'}"


def as_text(title: str, facts: Sequence[str], parts: Mapping[str, str]) -> str:
    """Writes a program for a terminal, long parts cut.

    Args:
        title: What the program takes and returns.
        facts: One line each.
        parts: The texts, by part.
    """
    lines = [title, *(f"  {fact}" for fact in facts)]
    for part, text in parts.items():
        shown = list(marked(part, text))
        lines += ["", f"{_TITLES[part]}:", *(f"  {line}".rstrip() for line in shown[:MOST_LINES])]
        if len(shown) > MOST_LINES:
            lines.append(f"  ... and {len(shown) - MOST_LINES} lines more, in the attribute `{part}`")
    return "\n".join(lines)


def as_html(title: str, facts: Sequence[str], parts: Mapping[str, str]) -> str:
    """Writes a program for a notebook, each part folded; all text is escaped.

    Args:
        title: As in `as_text`.
        facts: As in `as_text`.
        parts: As in `as_text`.
    """
    listed = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    folded = "".join(_folded(part, text) for part, text in parts.items())
    return f"<div><code>{escape(title)}</code><ul>{listed}</ul>{folded}</div>"


def _folded(part: str, text: str) -> str:
    lines = [f"<b>{escape(line)}</b>" if _MARK in line else escape(line) for line in marked(part, text)]
    body = "\n".join(lines)
    return f"<details><summary>{_TITLES[part]} ({len(lines)} lines)</summary><pre>{body}</pre></details>"
