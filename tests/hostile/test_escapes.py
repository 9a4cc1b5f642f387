"""Nobody gets out of a box: not to the sibling that runs at the same time, not to what started it, not to the host."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Literal

import pytest

from autograder.box.policy import Limits, Policy
from tests.hostile.bait import Bait, laid_out
from tests.hostile.escapes import Escape, escapes
from tests.hostile.siblings import Siblings

pytestmark = [pytest.mark.box, pytest.mark.hostile]

LIMITS = Limits(memory_mb=1024, scratch_mb=64, file_mb=32, output_mb=4, message_mb=2)
ATTACKS = [pytest.param(attack, id=attack.name) for attack in escapes()]
CONTROLS = [pytest.param(attack, id=attack.name) for attack in escapes() if attack.control != "nobody"]


@pytest.fixture(scope="module")
def bait() -> Iterator[Bait]:
    """What the host holds out."""
    with laid_out() as laid:
        yield laid


@pytest.fixture(scope="module", params=["warm", "cold"])
def siblings(bait: Bait, request: pytest.FixtureRequest) -> Iterator[Siblings]:
    """Two boxes, started in one of the ways that there are."""
    start: Literal["warm", "cold"] = request.param
    pair = Siblings(Policy(limits=LIMITS, readable=(bait.folder / "shown",), start=start), bait)
    yield pair
    pair.close()


@pytest.fixture(scope="module")
def unconfined(bait: Bait) -> Iterator[Siblings]:
    """Two kernels that nothing confines."""
    pair = Siblings(Policy(limits=LIMITS, sandbox="none"), bait)
    yield pair
    pair.close()


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_gets_out_of_a_box(
    attack: Escape, siblings: Siblings, record_property: Callable[[str, object], None]
) -> None:
    """An attack does no harm that can be seen, and is granted nothing that cannot."""
    harm = siblings.harm(attack)

    assert harm == []
    record_property(attack.name, "refused")


@pytest.mark.parametrize("attack", CONTROLS)
def test_attacks_are_attacks(attack: Escape, unconfined: Siblings) -> None:
    """The same code does harm where nothing confines it."""
    harm = unconfined.harm(attack)

    assert harm or (attack.control == "root" and os.geteuid() != 0)


def test_names_are_unique() -> None:
    """No two attacks have one name."""
    names = [attack.name for attack in escapes()]
    assert len(set(names)) == len(names)
    assert len(names) >= 40
