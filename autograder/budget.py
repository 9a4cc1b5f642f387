"""A budget of time is shared by all boxes of a submission, so that what hangs again and again comes to an end too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.box.box import Box
from autograder.faults import LimitFault


class Budget:
    """What the code of one submission may take in all its boxes together.

    Args:
        limit_s: Seconds, as the clocks of boxes count.
    """

    def __init__(self, limit_s: float) -> None:
        self.limit_s = limit_s
        self.left_s = limit_s

    @contextmanager
    def charged(self, box: Box) -> Iterator[None]:
        """Charges what the box spends within the block."""
        before = box.spent_s
        try:
            yield
        finally:
            self.left_s -= box.spent_s - before

    def check(self) -> None:
        """Raises `LimitFault` where nothing is left."""
        if self.left_s <= 0:
            message = f"The submission took the {self.limit_s:g} s that it may take in all; the rest was not asked."
            raise LimitFault(message, cause="wall", remedy="Look for a loop that does not end.")
