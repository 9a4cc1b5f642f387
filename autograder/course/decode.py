"""From submitted bytes to parsed JSON: encodings, hostile sizes and depths, older notebook formats."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from autograder.records import Repair

MAX_BYTES = 64 * 1024 * 1024
"""Bytes of a notebook file; saved output is part of it."""

MAX_VALUES = 2_000_000
"""JSON values of a notebook: each takes some sixty bytes of memory and may take three in the file."""

_DIGITS = 1_000

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is the start of this one
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(raw: bytes) -> tuple[dict[str, Any], list[Repair]]:
    """Parses a submitted notebook file.

    Args:
        raw: The bytes as they were handed in.

    Returns:
        The JSON object, and what had to be repaired to read it.

    Raises:
        ValueError: It is not a JSON object of a sane size; the message completes "cannot be read: ".
    """
    if not raw.strip():
        raise ValueError("it is empty")
    if len(raw) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES // 1024**2} MB; clear its outputs")
    if sum(raw.count(sign) for sign in (b",", b"[", b"{")) > MAX_VALUES:
        raise ValueError("it holds more values than a notebook has; clear its outputs")
    for text, encoding in _readings(raw):
        try:
            document = json.loads(text, strict=False, parse_int=_whole)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        except MemoryError:
            raise ValueError("it takes too much memory to read") from None
        except ValueError:
            continue
        if not isinstance(document, dict):
            raise ValueError("it is not a JSON object")
        return document, _repairs(document, encoding)
    raise ValueError("it is not JSON")


def _whole(digits: str) -> int | float:
    """Reads a whole number; one of thousands of digits, which Python refuses, is no number that a notebook needs."""
    return int(digits) if len(digits) <= _DIGITS else float("nan")


def _readings(raw: bytes) -> Iterator[tuple[str, str]]:
    """Yields the text under each encoding that the bytes may have, the likeliest first."""
    marked = next((name for bom, name in _BOMS if raw.startswith(bom)), None)
    if marked:
        names = [marked]
    elif b"\0" in raw[:4]:
        names = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
    else:
        names = ["utf-8", "cp1252", "latin-1"]
    for name in names:
        try:
            yield raw.decode(name), name
        except UnicodeDecodeError:
            continue


def _repairs(document: dict[str, Any], encoding: str) -> list[Repair]:
    repairs = []
    if encoding != "utf-8":
        repairs.append(Repair("decoded_text", "", f"The file was read as {encoding}; notebooks are UTF-8."))
    version = document.get("nbformat")
    if isinstance(version, int) and version != 4:
        message = f"The notebook has the format {version}; it was read as format 4."
        repairs.append(Repair("converted_format", "", message if abs(version) < 100 else "Its format number is wrong."))
    return repairs
