"""What moments show of a trial: nothing of clean ones, and what was injected into others."""

from __future__ import annotations

import math
from random import Random

import building
import pytest

from core.vocabulary import Anomalies, Moment, anomalies_of
from core.vocabulary.anomalies import change_in, growth_in, stall_in

pytestmark = pytest.mark.quick

_FILES, _MEMORY = 10.0, 2.0 * 2**20


class Simulated:
    """The moments of a trial: each about a tenth of a second after the one before."""

    def __init__(self, seed: int, *, least: float = 4.0) -> None:
        self.draw = Random(seed)
        self.seconds = self.draw.choice([one for one in (4.0, 10.0, 20.0) if one >= least])
        self.times: list[float] = []
        at = 0.0
        while (at := at + 0.1 * self.draw.uniform(0.97, 1.15)) < self.seconds:
            # Beside other programs the one who looks is late now and then.
            at += self.draw.uniform(0.1, 0.4) if self.draw.random() < 0.01 else 0.0
            self.times.append(at)

    def counts(self, *, jump: float = 1.0, frozen: tuple[float, float] = (0, 0)) -> list[int]:
        """Operations until each moment, of a rate with noise that lasts, and a warm-up."""
        draw = self.draw
        rate, slow = 10 ** draw.uniform(2.5, 5), draw.choice([0.0, 0.3])
        noise, lasting = draw.choice([0.005, 0.01, 0.02]), draw.uniform(0.0, 0.7)
        turn = self.seconds * draw.uniform(0.35, 0.65)
        done, drift, before = 0.0, 0.0, 0.0
        counts = []
        for at in self.times:
            drift = lasting * drift + draw.gauss(0.0, noise)
            speed = rate * (1 + drift) * (1 - slow * math.exp(-at / (0.03 * self.seconds)))
            held = max(0.0, min(at, sum(frozen)) - max(before, frozen[0]))
            done += speed * (at - before - held) * (jump if at > turn else 1.0)
            counts.append(int(done))
            before = at
        return counts

    def figure(self, size: float, noise: float, leak: float = 0.0) -> list[float]:
        """A cache fills and then stays; values go to and fro, some of them with a sawtooth."""
        draw = self.draw
        fills = draw.choice([0.0, 0.2, 1.0]) * size
        soon = self.seconds * draw.uniform(0.01, 0.25)
        tooth = draw.choice([0.0, noise, 3 * noise])
        period = draw.uniform(0.3, 2.0)
        return [
            size
            + fills * (1 - math.exp(-at / soon))
            + draw.gauss(0.0, noise)
            + tooth * (at % period) / period
            + leak * at
            for at in self.times
        ]


_TRIALS = 200


def test_that_clean_trials_have_at_most_one_false_alarm_in_a_hundred() -> None:
    alarms = 0
    for seed in range(_TRIALS):
        one = Simulated(seed)
        counts = one.counts()
        files = [round(value) for value in one.figure(one.draw.choice([20.0, 130.0]), 1.0)]
        memory = one.figure(2 ** one.draw.uniform(25, 31), 2**20)
        found = (
            stall_in(one.times, counts),
            growth_in(one.times, files, _FILES),
            growth_in(one.times, memory, _MEMORY),
            change_in(one.times, counts),
        )
        alarms += any(found)
    assert alarms <= _TRIALS // 100


def test_that_of_leaks_95_in_a_hundred_are_found_with_their_slope() -> None:
    found = 0
    for seed in range(_TRIALS):
        one = Simulated(seed)
        slope = one.draw.choice([5.0, 40.0, 350.0])
        growth = growth_in(one.times, one.figure(20.0, 1.0, slope), _FILES)
        found += growth is not None and abs(growth.per_second / slope - 1) < 0.2
    assert found >= 0.95 * _TRIALS


def test_that_of_jumps_by_a_tenth_95_in_a_hundred_are_found_where_they_were() -> None:
    """In trials of ten seconds: in shorter ones a tenth is no more than a chunk of work."""
    found = 0
    for seed in range(_TRIALS):
        one = Simulated(seed, least=10.0)
        change = change_in(one.times, one.counts(jump=0.9))
        found += change is not None and change.once and 0.3 < change.at / one.seconds < 0.7
    assert found >= 0.95 * _TRIALS


def test_that_a_stall_is_found_and_its_length_told() -> None:
    found = 0
    for seed in range(_TRIALS // 4):
        one = Simulated(seed)
        stall = stall_in(one.times, one.counts(frozen=(0.44 * one.seconds, 1.0)), longest=1.0)
        found += stall is not None and 0.85 < stall.seconds <= 1.0
    assert found >= 0.95 * (_TRIALS // 4)


def test_that_errors_are_neither_throughput_nor_a_stall() -> None:
    """A store that is stopped refuses seven times as fast as it has worked."""

    def moments(*, failing_from: int) -> list[Moment]:
        return [
            Moment(
                at=0.1 * place,
                operations=(48 * min(place, failing_from),),
                cpu=(0,),
                bytes=0,
                errors=350 * max(0, place - failing_from),
                wrong=0,
                p50=0,
                p99=0,
                reading=None,
            )
            for place in range(1, 101)
        ]

    stopped = anomalies_of(building.trial(building.spec(), moments=moments(failing_from=50)))
    assert stopped.stall is None
    assert stopped.change is not None
    assert stopped.change.before == pytest.approx(480)
    assert stopped.change.after == 0
    never = anomalies_of(building.trial(building.spec(), moments=moments(failing_from=0)))
    assert never == Anomalies()


def test_that_moments_at_which_the_clock_stood_do_no_harm() -> None:
    """The clock of an only worker stands still while it verifies."""
    moments = [
        Moment(
            at=0.1 * (1 + place // 4),
            operations=(place,),
            cpu=(0,),
            bytes=0,
            errors=0,
            wrong=0,
            p50=0,
            p99=0,
            reading=None,
        )
        for place in range(80)
    ]
    assert anomalies_of(building.trial(building.spec(), moments=moments)) == Anomalies()
