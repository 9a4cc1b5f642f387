"""What a grading process imports decides how soon it can begin: what takes long and serves nothing is left out."""

from __future__ import annotations

import sys

_OPTIONAL = ("rfc3987_syntax",)
"""A grammar of international addresses, which jsonschema tries to import when nbformat does: a second of CPU time to
check a format that no schema of a notebook has."""


def leave_out() -> None:
    """Makes this process do without optional imports, unless they are there already."""
    for name in _OPTIONAL:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # documented: such an import fails at once
