"""Slices: what a trial did in each of its turns, packed, and the cost of a turn's cold start."""

from __future__ import annotations

import random

import building
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language import SessionError
from core.measure import SLICE, SliceLengths
from core.measure.trial.windows import LONGEST, MOST_SLICES, slice_for
from core.vocabulary import CARRY_OVER, Slice, carry_over, pack
from core.vocabulary.slices import beginning, unpack

pytestmark = pytest.mark.quick

NUMBERS = st.integers(-(2**63), 2**63 - 1)
SLICES = st.lists(st.builds(Slice, *[NUMBERS] * len(Slice.__struct_fields__)), max_size=20)


def turn(number: int, *, early: float, rest: float, noise: float = 0.0) -> Slice:
    """A turn of 0.1 s: its first 20 ms have one pace (operations per second), the rest another."""
    early_items, rest_items = round(0.02 * early * (1 + noise)), round(0.08 * rest * (1 - noise))
    done = early_items + rest_items
    return Slice(
        round=number, began=10**8 * number, active=10**8, operations=done, items=done, bytes=0,
        errors=0, wrong=0, early_active=2 * 10**7, early_items=early_items,
    )  # fmt: skip


@given(slices=SLICES)
def test_that_packed_slices_are_the_same_again(slices: list[Slice]) -> None:
    # msgpack cannot hold differences of the 64-bit extremes, which clocks and counts never reach.
    small = [Slice(*(value >> 2 for value in fields(one))) for one in slices]
    assert unpack(pack(small)) == tuple(small)
    first = (small[0].round, small[0].began) if small else None
    assert beginning(pack(small)) == first


def fields(one: Slice) -> tuple[int, ...]:
    return tuple(getattr(one, name) for name in one.__struct_fields__)


def test_that_a_day_of_turns_stays_small() -> None:
    """A trial has at most so many; three seconds of one have thirty."""
    drawn = random.Random(1)
    slices = [
        Slice(
            round=number,
            began=number * 315_000_000 + drawn.randrange(10**7),
            active=10**8 + drawn.randrange(10**6),
            operations=(done := drawn.randrange(9000, 11000)),
            items=done,
            bytes=done * 65536,
            errors=0,
            wrong=0,
            early_active=2 * 10**7 + drawn.randrange(10**6),
            early_items=done // 5 + drawn.randrange(99),
        )
        for number in range(MOST_SLICES)
    ]
    assert len(pack(slices)) < 25 * len(slices)


@pytest.mark.parametrize("damaged", [b"nothing", pack([turn(0, early=1, rest=1)])[:-3]])
def test_that_damaged_slices_are_told_as_such(damaged: bytes) -> None:
    for read in (unpack, beginning):
        with pytest.raises(SessionError):
            read(damaged)


def test_that_a_trial_without_slices_ran_in_one_piece() -> None:
    trial = building.trial(building.spec())
    assert trial.turns == ()
    assert trial.carry_over is None


@given(slower=st.floats(0.05, 0.5))
def test_that_a_slow_start_of_turns_is_seen(slower: float) -> None:
    slices = [turn(at, early=1e6 * (1 - slower), rest=1e6) for at in range(20)]
    found = carry_over(slices)
    assert found is not None
    assert found.effect == pytest.approx(0.2 * slower, rel=0.01)
    assert found.proven


@given(faster=st.floats(0.05, 0.5))
def test_that_a_fast_start_of_turns_is_seen_too(faster: float) -> None:
    found = carry_over([turn(at, early=1e6 * (1 + faster), rest=1e6) for at in range(20)])
    assert found is not None
    assert found.effect == pytest.approx(-0.2 * faster, rel=0.01)
    assert found.proven


def test_that_chance_is_not_taken_for_carry_over() -> None:
    drawn = random.Random(1)
    proven = 0
    for _ in range(200):
        slices = [turn(at, early=1e5, rest=1e5, noise=drawn.gauss(0, 0.2)) for at in range(30)]
        found = carry_over(slices)
        assert found is not None
        proven += found.proven
    assert proven <= 8  # 1 % of no effect at all would be 2, and 0.5 % is allowed


def slices_with(start: float, *, length: float = 0.1, count: int = 15) -> list[Slice]:
    """Slices of which the first 20 ms have so many times the pace of the rest."""
    scaled = 0.02 / (length / 2)
    early = 0.5e5 * length * (1 + (start - 1) * min(1, scaled))
    return [
        Slice(
            round=at, began=at, active=round(1e9 * length), operations=0, bytes=0, errors=0, wrong=0,
            items=round(early + 0.5e5 * length) + at % 2,
            early_active=round(0.5e9 * length), early_items=round(early),
        )
        for at in range(count)
    ]  # fmt: skip


@pytest.mark.parametrize("start", [0.7, 1.3])
def test_that_slices_are_lengthened_until_their_start_is_a_small_part(start: float) -> None:
    lengths, length = SliceLengths(), SLICE
    for _ in range(5):
        length = lengths.lengthened("a", length, slices_with(start, length=length), 1, 60.0)
    found = carry_over(slices_with(start, length=length))
    assert found is not None
    assert SLICE < length <= LONGEST
    assert length == LONGEST or abs(found.effect) <= CARRY_OVER
    assert lengths.first("a", 0.0, 60.0) == length
    assert lengths.first("b", 0.0, 60.0) == SLICE


def test_that_what_one_block_cannot_tell_several_can() -> None:
    few = slices_with(1.3, count=4)
    lengths = SliceLengths()
    assert lengths.lengthened("a", SLICE, few, 1, 60.0) == SLICE
    lengths.over("a", few)
    assert lengths.lengthened("b", SLICE, few, 1, 60.0) == SLICE
    assert lengths.lengthened("a", SLICE, few, 1, 60.0) > SLICE


def test_that_trials_keep_rounds_enough_to_be_paired() -> None:
    lengths, length = SliceLengths(), SLICE
    for _ in range(5):
        length = lengths.lengthened("a", length, slices_with(1.9, length=length), 1, 1.5)
    assert length == pytest.approx(0.3)


def test_that_an_even_pace_leaves_slices_as_they_are() -> None:
    lengths = SliceLengths()
    for _ in range(20):
        assert lengths.lengthened("a", SLICE, slices_with(1.0), 1, 60.0) == SLICE
        lengths.over("a", slices_with(1.0))


def test_that_few_turns_tell_nothing() -> None:
    assert carry_over([turn(0, early=1e3, rest=1e3)] * 4) is None
    assert carry_over([turn(0, early=1e3, rest=1e3)] * 5) is not None
    bare = [Slice(0, 0, 10**8, 5, 5, 0, 0, 0)] * 30
    assert carry_over(bare) is None


@pytest.mark.parametrize(
    ("operation", "duration", "seconds"),
    [
        (0.0, 3.0, SLICE),
        (1e-6, 3.0, SLICE),
        (0.02, 3.0, 0.2),
        (0.02, 1.0, 0.1),
        (0.1, 3.0, 0.5),
        (0.1, 0.0, 1.0),
        (0.3, 3.0, LONGEST),
        (4.0, 3.0, 4.0),
        (1e-6, 86_400.0, 86_400 / MOST_SLICES),
    ],
)
def test_that_a_slice_holds_ten_operations_or_one_slow_one(
    operation: float, duration: float, seconds: float
) -> None:
    assert slice_for(operation, duration) == pytest.approx(seconds)
