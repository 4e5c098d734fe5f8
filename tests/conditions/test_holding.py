"""The table of conditions says where Sluice does not hold its word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conditions import CONDITIONS, Condition
from holding import hold, lacking

WRONG = Condition(
    name="none",
    family="surroundings",
    run="list",
    code=3,
    says="nothing of the kind",
    after="test -e $W/nothing",
)


def test_that_what_does_not_hold_is_named(place: Path) -> None:
    faults = hold(WRONG, place).faults
    assert faults == (
        "it ended with 0, and 3 is right",
        "nothing says nothing of the kind",
        "afterwards: test -e $W/nothing",
    )


def test_that_what_others_lose_and_what_is_left_is_named(place: Path) -> None:
    losing = "rm $W/others/precious; touch $W/tmp/left; setsid sleep 600 & exec 1>&2"
    outcome = hold(replace(WRONG, code=0, says="raw", before=losing, after="kill %1"), place)
    assert "something of others was changed" in outcome.faults
    assert f"{place / 'tmp' / 'left'} is left" in outcome.faults


@pytest.mark.quick
def test_that_each_condition_has_a_name_of_its_own() -> None:
    names = [one.name for one in CONDITIONS]
    assert len(names) >= 30
    assert len(set(names)) == len(names)


@pytest.mark.quick
def test_that_a_machine_without_a_program_says_so() -> None:
    assert lacking(replace(WRONG, needs=("no-such-program",))) == "it needs no-such-program"
