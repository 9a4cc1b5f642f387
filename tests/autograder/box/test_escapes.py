"""A box does no harm to the one beside it, to what started it or to the host; `tests/hostile` tries more ways to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.box.policy import Limits, Policy
from tests.hostile.bait import laid_out
from tests.hostile.escapes import Escape, escapes
from tests.hostile.siblings import Siblings

pytestmark = pytest.mark.box

QUICK = [pytest.param(attack, id=attack.name) for attack in escapes() if attack.quick]


@pytest.fixture(scope="module")
def siblings(limits: Limits) -> Iterator[Siblings]:
    """Two boxes at once, started in the way that this machine lets work."""
    with laid_out() as bait:
        pair = Siblings(Policy(limits=limits, readable=(bait.folder / "shown",)), bait)
        yield pair
        pair.close()


@pytest.mark.parametrize("attack", QUICK)
def test_nothing_gets_out_of_a_box(attack: Escape, siblings: Siblings) -> None:
    """A quick part of the attacks does no harm that can be seen, and is granted nothing that cannot."""
    assert siblings.harm(attack) == []
