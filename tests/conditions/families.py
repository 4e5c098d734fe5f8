"""What the tests of all families do, which have a file each, so that processes share them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conditions import CONDITIONS, Condition, Family
from holding import hold, lacking


def of_family(family: Family) -> pytest.MarkDecorator:
    """The conditions of a family."""
    rows = [pytest.param(one, id=one.name) for one in CONDITIONS if one.family == family]
    return pytest.mark.parametrize("condition", rows)


def is_borne(condition: Condition, place: Path) -> None:
    """Fail unless Sluice holds its word under the condition; skip where the machine has none."""
    if why := lacking(condition):
        pytest.skip(f"not on this machine: {why}")
    outcome = hold(condition, place)
    assert outcome.faults == (), outcome.printed
