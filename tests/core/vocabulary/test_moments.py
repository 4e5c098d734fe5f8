"""Moments stay what they were, however many there are and however they are kept."""

from __future__ import annotations

import random
import zlib
from functools import cache

import building
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import MOST_WORKERS, SessionError
from core.vocabulary import Moment, Series, Trial, as_moments
from core.vocabulary.moments import PIECE, most

MEBIBYTE = 1 << 20


@cache
def moment(at: int, workers: int = 1) -> Moment:
    return Moment(
        at=at / 10,
        operations=(at,) * workers,
        cpu=(1000 * at,) * workers,
        bytes=5 * at,
        errors=0,
        wrong=0,
        p50=at % 7,
        p99=at % 11,
        reading=None if at % 5 == 0 else building.reading(at / 10, rss=1 << 20 | at, fds=at % 99),
    )


def test_that_a_piece_has_room_for_as_many_workers_as_a_trial_may_have() -> None:
    """Of one moment, as a whole piece of them takes gigabytes once it is unpacked."""
    drawn = random.Random(1)
    operations, cpu = (
        tuple(drawn.randrange(10**10, 10**14) for _ in range(MOST_WORKERS)) for _ in range(2)
    )
    many = msgspec.structs.replace(moment(1), operations=operations, cpu=cpu)
    told = msgspec.msgpack.encode(many)
    room = Series([many])._room(PIECE * len(zlib.compress(told, 1)))
    assert PIECE * len(told) <= room < 2 * PIECE * len(told)
    assert Series([many])._room(MEBIBYTE) < 512 * MEBIBYTE  # it was made to fill the memory


counts = st.sampled_from([0, 1, 2, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 7])


@given(count=counts, more=st.integers(0, 3), again=st.booleans())
@settings(max_examples=25)
def test_that_a_series_is_the_moments_that_were_added(count: int, more: int, again: bool) -> None:
    plain = [moment(at) for at in range(count)]
    series = Series(plain)
    if again:
        series = Series.unpacked(series.packed)
    for at in range(count, count + more):
        plain.append(moment(at))
        series.append(plain[-1])
    assert len(series) == len(plain)
    assert bool(series) == bool(plain)
    assert list(series) == plain
    assert series == tuple(plain)
    assert tuple(plain) == series
    assert list(Series.unpacked(series.packed)) == plain


@given(count=counts.filter(bool), data=st.data())
@settings(max_examples=25)
def test_that_any_piece_of_it_is_that_of_a_list(count: int, data: st.DataObject) -> None:
    plain = [moment(at) for at in range(count)]
    series = Series.unpacked(Series(plain).packed)
    place = data.draw(st.integers(-count, count - 1))
    assert series[place] == plain[place]
    piece = data.draw(st.slices(count))
    assert list(series[piece]) == plain[piece]
    with pytest.raises(IndexError):
        series[count]


@given(count=counts, again=st.booleans())
@settings(max_examples=15)
def test_that_the_highest_figures_are_those_of_all_moments(count: int, again: bool) -> None:
    plain = [moment(at) for at in range(count)]
    series = Series.unpacked(Series(plain).packed) if again else Series(plain)
    for figure in ("rss_anonymous", "fds", "peak_rss"):
        seen = [getattr(each.reading, figure) for each in plain if each.reading]
        assert most(series, figure) == most(plain, figure) == max(seen, default=None)


def test_that_it_is_equal_to_no_other_moments() -> None:
    series = Series([moment(1), moment(2)])
    assert series != Series([moment(1), moment(3)])
    assert series != [moment(1)]
    assert series != "ab"


def test_that_a_day_takes_little_memory() -> None:
    """As packed, which is what stays of all but the last few thousand moments."""
    day = 864_000
    packed = Series(moment(at, workers=4) for at in range(4 * PIECE)).packed
    assert len(packed) / (4 * PIECE) * day < 100e6


def test_that_a_trial_is_the_same_as_json_whether_packed_or_not() -> None:
    plain = building.trial(building.spec())
    packed = msgspec.structs.replace(plain, moments=Series(plain.moments))
    assert packed == plain
    told = msgspec.json.encode(packed, enc_hook=as_moments)
    assert told == msgspec.json.encode(plain)
    assert msgspec.json.decode(told, type=Trial) == packed
    with pytest.raises(NotImplementedError):
        msgspec.json.encode(object(), enc_hook=as_moments)


def test_that_moments_that_cannot_be_read_are_named_as_such() -> None:
    whole = msgspec.msgpack.decode(Series(map(moment, range(10))).packed)
    count, newest, peaks, pieces = whole
    fewer = zlib.compress(msgspec.msgpack.encode([moment(1)]))
    for damaged in (b"", b"rubbish", zlib.compress(b"rubbish"), fewer, pieces[0][:-9]):
        series = Series.unpacked(msgspec.msgpack.encode([count, newest, peaks, [damaged]]))
        with pytest.raises(SessionError, match="moments of a trial"):
            list(series)
    for impossible in ((count, newest, []), (0, newest, []), (count, None, pieces)):
        told = [*impossible[:2], peaks, impossible[2]]
        with pytest.raises(SessionError, match="moments of a trial are missing"):
            Series.unpacked(msgspec.msgpack.encode(told))


def test_that_what_is_counted_live_is_kept_and_takes_no_room_where_nothing_is() -> None:
    counted = {"retries": 3.0, "backoff seconds": 0.125}
    plain = [moment(at) for at in range(3)]
    told = [msgspec.structs.replace(one, tallies=counted) for one in plain]
    assert list(Series.unpacked(Series(told).packed)) == told
    assert Series(plain).packed != Series(told).packed
    assert b"tallies" not in msgspec.msgpack.encode(plain)


def test_that_moments_from_before_they_had_tallies_and_rounds_are_read() -> None:
    before = msgspec.structs.asdict(moment(3))
    del before["tallies"], before["round"]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(before), type=Moment) == moment(3)
