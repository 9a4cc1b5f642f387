"""Which outputs change when one branch, conditional or loop of a program gives sentinels instead of its results."""

from __future__ import annotations

from typing import Any

import numpy as np

NOISE = 1e-5
"""A relative change below this is rounding, or a contribution that no check of numbers could see."""


def changed(before: tuple[Any, ...], after: tuple[Any, ...]) -> frozenset[int]:
    """Returns the indices of the outputs that differ between two runs on equal inputs.

    A disturbed program is compiled anew and may round otherwise, so a change in the last bits proves nothing.
    """
    return frozenset(place for place, (a, b) in enumerate(zip(before, after, strict=True)) if _differ(a, b))


def _differ(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    if a.tobytes() == b.tobytes():
        return False
    if a.dtype.kind in "biu":
        return True
    a, b = a.astype(np.complex128), b.astype(np.complex128)
    with np.errstate(all="ignore"):
        scale = np.maximum(np.abs(a), np.abs(b))
        close = np.isfinite(scale) & (np.abs(a - b) <= NOISE * scale)
    return not bool(np.all(close | (a == b) | (np.isnan(a) & np.isnan(b))))
