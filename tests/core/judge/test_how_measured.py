"""Results say how they were measured: in turns, in one piece and why, and what carry-over costs."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.judge import describe_measuring
from core.tell.card_text import on_servers
from core.vocabulary import Result, Slice, Trial, pack

pytestmark = pytest.mark.quick

ONE, TWO = (building.spec(threads=threads) for threads in (1, 2))


def result(trial: Trial) -> Result:
    spec = ONE if trial.spec_digest == ONE.digest else TWO
    return Result(spec=spec, environment=building.environment(), file_system=None, trials=(trial,))


def in_turns(*, early: int) -> Trial:
    slices = [
        Slice(at, at * 10**8, 10**8, 100, 100, 0, 0, 0, 2 * 10**7, early + at % 2)
        for at in range(20)
    ]
    return msgspec.structs.replace(building.trial(ONE), slices=pack(slices))


def test_that_turns_are_told_with_their_length() -> None:
    (told,) = describe_measuring([result(in_turns(early=20))])
    assert told.startswith("Measured in turns of 100 ms: all trials.")


def test_that_a_cold_start_of_turns_is_told() -> None:
    _, told = describe_measuring([result(in_turns(early=5))])
    assert told.startswith(
        "The start of turns, as with cold caches, changed the throughput by up to 15"
    )


def test_that_trials_in_one_piece_say_why() -> None:
    apart = msgspec.structs.replace(building.trial(TWO), apart="it is cold")
    _, told = describe_measuring([result(in_turns(early=20)), result(apart)])
    assert told == "Measured in one piece, because it is cold: 1 of 2 trials."


def test_that_results_without_turns_say_so_and_a_single_one_has_nothing_to_say() -> None:
    whole = [result(building.trial(ONE)), result(building.trial(TWO))]
    assert describe_measuring(whole) == ("Measured one trial after the other, and not in turns.",)
    assert describe_measuring(whole[:1]) == ()


def test_that_it_is_told_how_servers_were_reached_and_that_several_ways_cannot_be_compared() -> (
    None
):
    near, far = (
        result(msgspec.structs.replace(building.trial(spec), link=link))
        for spec, link in ((ONE, "directly"), (TWO, "through the slow link, 20 ms"))
    )
    assert list(on_servers([near, near])) == ["The servers were reached directly."]
    (told,) = on_servers([near, far])
    assert "cannot be compared" in told
    assert "1 setting through the slow link, 20 ms" in told
    assert list(on_servers([result(building.trial(ONE))])) == []


def test_that_links_that_were_asked_for_are_told_and_compared_each_by_itself() -> None:
    near, far = (
        building.result(spec, [msgspec.structs.replace(building.trial(spec), link=link)])
        for spec, link in (
            (building.spec(parameters={"round_trip": 0.0}), "directly"),
            (building.spec(parameters={"round_trip": 0.02}), "through the slow link, 20 ms"),
        )
    )
    assert list(on_servers([near, far])) == [
        "What went through the same link is compared: 1 setting directly; "
        "1 setting through the slow link, 20 ms."
    ]
