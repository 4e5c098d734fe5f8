"""The moments of a trial, kept small: a day of looks takes some 70 MB and not a gigabyte.

Moments come one by one and are seldom needed again while a trial runs.  So they are packed, a piece
at a time, and unpacked on demand.  A session keeps the packed pieces, so opening it does not
mean waiting for all of them.
"""

from __future__ import annotations

import operator
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import isfinite
from typing import Annotated, overload, override

import msgspec

from core.language import MOST_WORKERS, Finite, Name, Natural, Seconds, SessionError, Whole
from core.vocabulary.histogram import inflated
from core.vocabulary.machine import Reading

MOST_MOMENTS = 8_000_000
"""Moments of a trial; ten a second for as long as a trial may take are 6 million."""
PIECE = 2048
"""Moments packed together: unpacking them takes about 10 ms."""
_LEVEL = 1  # of zlib: packing must not take time from what is being measured
_PEAKS = ("peak_rss", "fds", "dataset_fds", "rss_anonymous", "rss_file")
"""Figures of a reading whose highest value is needed."""
_OF_WORKERS = msgspec.Meta(max_length=MOST_WORKERS)
_ROOM = 8 << 20
_ROOM_PER_WORKER = PIECE * 20
"""Bytes that a piece of moments can take unpacked, and further bytes for each worker."""
_ROOM_IN_ANY_CASE = 256 << 20
_MOST_PACKING = 50
"""A piece takes more room than that only up to 50 times its packed size: numbers of many workers
pack badly, and data that packs better was made to fill the memory."""


class Moment(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One look at a running trial, about ten times a second."""

    at: Finite
    operations: Annotated[tuple[Natural, ...], _OF_WORKERS]
    """Per worker, since the clock started."""
    cpu: Annotated[tuple[Whole, ...], _OF_WORKERS]
    """Per worker, nanoseconds of CPU; grows by no more than the cores give between two moments."""
    bytes: Natural
    errors: Natural
    wrong: Natural
    p50: Natural
    """Nanoseconds, of as many of the latest operations as needed; 0 if not resolvable."""
    p99: Natural
    reading: Reading | None
    tallies: dict[Name, Finite] = {}
    """The workload's live counts, by name, since the clock started; takes no room if it counts
    nothing."""

    measured: Finite | None = None
    """Seconds of the windows so far, over which the throughput is computed; None = not recorded."""
    counted: Finite = 0.0
    """Operations in them."""
    rate: Finite | None = None
    """Operations per second of the latest windows: of a second, or as many as five operations need,
    if that is longer."""
    byte_rate: Finite | None = None
    """Bytes per second of the same time."""
    round: Natural | None = None
    """Round of the turn in which it was taken, or of the latest one, as in `Slice`; None in a trial
    in one piece, and where none was recorded."""

    @classmethod
    def before_clock(cls, reading: Reading) -> Moment:
        """The moment of a trial in preparation: nothing is done yet, and no throughput is known.

        Its processes count as one worker, for the CPU that they use; `at` is that of the reading.
        """
        cpu = max(round(1e9 * (reading.cpu_user + reading.cpu_system)), 0)
        return cls(
            at=reading.at,
            operations=(),
            cpu=(cpu,),
            bytes=0,
            errors=0,
            wrong=0,
            p50=0,
            p99=0,
            reading=reading,
            measured=0.0,
        )

    @property
    def done(self) -> int:
        """Operations of all workers since the clock started."""
        return sum(self.operations)

    @property
    def work(self) -> tuple[float, Seconds]:
        """Operations and time so far, from which the throughput of its trial is computed."""
        return (self.done, self.at) if self.measured is None else (self.counted, self.measured)


class _Packed(msgspec.Struct, array_like=True):
    count: Annotated[int, msgspec.Meta(ge=0, le=MOST_MOMENTS)]
    newest: Moment | None
    """The last moment of all: the length of the trial without any unpacking."""
    most: dict[str, Natural]
    """The highest values of figures, because they are needed whenever a session is opened."""
    pieces: Annotated[list[bytes], msgspec.Meta(max_length=-(-MOST_MOMENTS // PIECE))]
    """Each piece but the last holds `PIECE` moments."""


_PACKED = msgspec.msgpack.Decoder(_Packed)
_MOMENTS = msgspec.msgpack.Decoder(tuple[Moment, ...])


class Series(Sequence[Moment]):
    """Moments in order; raises SessionError if they cannot be unpacked.

    Equal to any sequence of the same moments.
    """

    __slots__ = ("_count", "_most", "_newest", "_pieces", "_tail")

    def __init__(self, moments: Iterable[Moment] = ()) -> None:
        self._pieces: list[bytes] = []
        self._tail: list[Moment] = []
        self._count = 0
        self._newest: Moment | None = None
        self._most: dict[str, int] = {}
        for moment in moments:
            self.append(moment)

    def append(self, moment: Moment) -> None:
        """Add a moment that is later than all others."""
        if self._pieces and self._count % PIECE and not self._tail:  # it was unpacked
            self._tail = list(self._piece(len(self._pieces) - 1))
            self._pieces.pop()
        self._tail.append(moment)
        self._count += 1
        self._newest = moment
        _raise(self._most, moment)
        if len(self._tail) == PIECE:
            self._pieces.append(_packed(self._tail))
            self._tail = []

    @classmethod
    def unpacked(cls, packed: bytes) -> Series:
        """The series in `packed`; raises msgspec.MsgspecError, and SessionError also later."""
        stored = _PACKED.decode(packed)
        count, newest = stored.count, stored.newest
        if len(stored.pieces) != -(-count // PIECE) or (newest is None) != (not count):
            raise SessionError("moments of a trial are missing")
        if newest is not None and not are_sound((newest,)):
            raise SessionError(_UNSOUND)
        series = cls()
        series._pieces = stored.pieces
        series._count, series._newest, series._most = count, newest, stored.most
        return series

    @property
    def packed(self) -> bytes:
        pieces = list(self._pieces)
        if self._tail:
            pieces.append(_packed(self._tail))
        return msgspec.msgpack.encode(_Packed(self._count, self._newest, self._most, pieces))

    def most(self, figure: str) -> int | None:
        """The highest value of one figure of the readings; None if it was never recorded."""
        return self._most.get(figure)

    @override
    def __len__(self) -> int:
        return self._count

    @override
    def __iter__(self) -> Iterator[Moment]:
        for place in range(len(self._pieces)):
            yield from self._piece(place)
        yield from self._tail

    @overload
    def __getitem__(self, place: int) -> Moment: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Moment, ...]: ...
    @override
    def __getitem__(self, place: int | slice) -> Moment | tuple[Moment, ...]:
        indexes = range(self._count)[place]
        if isinstance(indexes, int):
            if indexes == self._count - 1:
                assert self._newest is not None
                return self._newest
            return self._of(indexes // PIECE)[indexes % PIECE]
        return tuple(self._of(one // PIECE)[one % PIECE] for one in indexes)

    def _of(self, place: int) -> Sequence[Moment]:
        return self._piece(place) if place < len(self._pieces) else self._tail

    def _piece(self, place: int) -> tuple[Moment, ...]:
        count = min(PIECE, self._count - place * PIECE)
        piece = self._pieces[place]
        return _unpacked(piece, count, self._room(len(piece)))

    def _room(self, packed: int) -> int:
        """Most bytes that a piece of `packed` bytes can take unpacked."""
        workers = len(self._newest.operations) if self._newest is not None else 0
        most = _ROOM + _ROOM_PER_WORKER * workers
        return min(most, _ROOM_IN_ANY_CASE + _MOST_PACKING * packed)

    @override
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # it grows

    @override
    def __repr__(self) -> str:
        return f"Series({self._count} moments)"


def _packed(moments: Sequence[Moment]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(moments), _LEVEL)


@lru_cache(maxsize=2)
def _unpacked(piece: bytes, count: int, room: int) -> tuple[Moment, ...]:
    """The `count` moments of a piece, of at most `room` bytes.

    Cached, because the last pieces are often read again.
    """
    try:
        moments = _MOMENTS.decode(inflated(piece, room))
    except (zlib.error, msgspec.MsgspecError, MemoryError) as error:
        raise SessionError(f"moments of a trial cannot be read: {error}") from error
    if len(moments) != count:
        raise SessionError("moments of a trial are missing")
    if not are_sound(moments):
        raise SessionError(_UNSOUND)
    return moments


_UNSOUND = "moments of a trial are not as they can be"


def are_sound(moments: Sequence[Moment]) -> bool:
    """Whether times never go back, and every number is finite, as a packed one may not be."""
    times = [moment.at for moment in moments]
    readings = [moment.reading for moment in moments if moment.reading is not None]
    numbers = chain(
        times,
        chain.from_iterable(moment.tallies.values() for moment in moments),
        (one.at + one.cpu_user + one.cpu_system + (one.queued or 0.0) for one in readings),
        (
            (one.measured or 0) + one.counted + (one.rate or 0) + (one.byte_rate or 0)
            for one in moments
        ),
    )
    return isfinite(sum(numbers)) and all(map(operator.le, times, times[1:]))


def most(moments: Sequence[Moment], figure: str) -> int | None:
    """The highest value of one figure of the readings; None if it was never recorded."""
    if isinstance(moments, Series):
        return moments.most(figure)
    peaks: dict[str, int] = {}
    for moment in moments:
        _raise(peaks, moment)
    return peaks.get(figure)


def _raise(peaks: dict[str, int], moment: Moment) -> None:
    """Update the highest values with those of a moment."""
    if (reading := moment.reading) is None:
        return
    for figure in _PEAKS:
        value = getattr(reading, figure)
        if value is not None and value > peaks.get(figure, -1):
            peaks[figure] = value


def as_moments(value: object) -> tuple[Moment, ...]:
    """The moments that msgspec encodes for a series; serves as its `enc_hook`."""
    if isinstance(value, Series):
        return tuple(value)
    raise NotImplementedError(f"cannot encode {type(value).__name__}")
