"""Shows the options of a question in an order of your own, so that "2b" means nothing to your neighbour.

The order depends on a name: the one you are logged in with, or any that you give. It decides nothing else. An answer is
the word of an option and never its place, so whoever forgets the name, or gives another one, loses nothing.
"""

import getpass
import os
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from IPython.display import display

FILE = Path(__file__).with_name("options.toml")


def own_name() -> str:
    """Returns the name of whoever is logged in, on a JupyterHub or on a machine; some machines know none."""
    try:
        return os.environ.get("JUPYTERHUB_USER") or getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def in_order_of(name: str, number: int, options: Mapping[str, str]) -> dict[str, str]:
    """Returns the options of a question in the order that belongs to a name."""

    def rank(word: str) -> bytes:
        return sha256(f"{name}\n{number}\n{word}".encode()).digest()

    return {word: options[word] for word in sorted(options, key=rank)}


def as_markdown(options: Mapping[str, str]) -> str:
    """Returns a list of options, the word of each in front."""
    items = (f'**"{word}"**: {text.strip()}'.replace("\n", "\n  ") for word, text in options.items())
    return "\n\n".join(f"- {item}" for item in items)


def options(number: int, name: str | None = None) -> None:
    """Shows the options of a question.

    Args:
        number: Number of the question.
        name: Whose order to show; without it, that of whoever is logged in.
    """
    known = tomllib.loads(FILE.read_text(encoding="utf-8"))
    text = as_markdown(in_order_of(own_name() if name is None else name, number, known[str(number)]))
    display({"text/markdown": text, "text/plain": text}, raw=True)
