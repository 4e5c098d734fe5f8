"""Trials that take turns are drawn one after the other, each whole."""

from __future__ import annotations

import building
import pytest

from app.views.one_by_one import OneByOne
from core.result.moments import Moment

pytestmark = pytest.mark.quick


def moment(at: float) -> Moment:
    return Moment(
        at=at, operations=(round(at * 1000),), cpu=(0,), bytes=0, errors=0, wrong=0, p50=0, p99=0,
        reading=building.reading(at),
    )  # fmt: skip


class Drawn:
    """What plots are told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.queue = OneByOne(
            lambda index, name: self.told.append(f"begin {name}"),
            lambda index, moment: self.told.append(f"{index} at {moment.at}"),
        )


def test_that_trials_one_after_the_other_are_drawn_as_they_come() -> None:
    drawn = Drawn()
    for index in (0, 1):
        drawn.queue.start(index, f"t{index}")
        drawn.queue.add(index, moment(0.1))
        drawn.queue.end(index)
    assert drawn.told == ["begin t0", "0 at 0.1", "begin t1", "1 at 0.1"]


def test_that_of_trials_in_turns_one_is_drawn_and_the_others_follow_it() -> None:
    drawn = Drawn()
    for index in (0, 1, 2):
        drawn.queue.start(index, f"t{index}")
    for at in (0.1, 0.2):
        drawn.queue.round((2, 0, 1))
        for index in (2, 0, 1):
            drawn.queue.add(index, moment(at))
    assert drawn.told == ["begin t0", "0 at 0.1", "0 at 0.2"]
    drawn.queue.end(1)
    drawn.queue.end(0)
    assert drawn.told[3:] == [
        "begin t1",
        "1 at 0.1",
        "1 at 0.2",
        "begin t2",
        "2 at 0.1",
        "2 at 0.2",
    ]
    drawn.queue.add(2, moment(0.3))
    drawn.queue.end(2)
    drawn.queue.start(3, "t3")
    assert drawn.told[-2:] == ["2 at 0.3", "begin t3"]


def test_that_a_trial_whose_forerunner_never_ended_is_drawn_with_its_first_look() -> None:
    drawn = Drawn()
    drawn.queue.start(0, "t0")
    drawn.queue.add(0, moment(0.1))
    drawn.queue.start(1, "t1")
    drawn.queue.add(1, moment(0.1))
    assert drawn.told[2:] == ["begin t1", "1 at 0.1"]


def test_that_what_is_left_out_is_not_drawn() -> None:
    drawn = Drawn()
    drawn.queue.add(7, moment(0.1))
    drawn.queue.end(7)
    assert not drawn.told
