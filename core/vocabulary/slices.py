"""The work of a trial in each of its turns, kept small: some 15 bytes for a turn.

In a trial in turns, the children live through the whole trial and have the clock for a slice of
time now and then.  The slices of a block's trials in the same round lie within a second of each
other, so a disturbance of the machine affects them alike: figures are paired by rounds.

The packed form is columns of whole numbers, each number stored as its difference to the one before,
as msgpack within zlib.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Annotated, NamedTuple

import msgspec

from core.language import SessionError, Whole
from core.vocabulary.histogram import inflated

CARRY_OVER = 0.005
"""Largest effect on throughput that the start of slices can have, in either direction."""
ENOUGH = 10
"""Complete turns from which a trial that was cut off counts.  Ten turns of a tenth of a second are
a second: where single turns vary by 10 %, as they do on a machine with some neighbours, their mean
is known to 3 %, which is less than trials usually differ.  Others of its block have had as many
turns in the same rounds, within one.  Below it there is little but the start."""
MOST_TURNS = 1_000_000
"""Turns of a trial; a day of turns of a tenth of a second are 864,000."""
_MOST_BYTES = 24 << 20
"""Bytes of the packed form within zlib; a day of turns takes some 17 MB."""
_LEVEL = 6  # of zlib: packed once, when the trial is over


UNKNOWN = -1
"""Of what older sessions and some systems do not tell."""


class Slice(msgspec.Struct, frozen=True, gc=False):
    """One turn of one trial; all whole numbers, times in ns."""

    round: int
    """Within its block, from 0."""
    began: int
    """Since the first turn of all trials in the block, wall time."""
    active: int
    """How long it was measured: its window, or the clock of its only worker."""
    operations: int
    items: int
    bytes: int
    errors: int
    wrong: int
    """Found wrong since the turn before: each turn is verified after its end."""
    early_active: int = 0
    """The part of `active` in the turn's first half, compared with the rest for the carry-over;
    all of it if the turn was cut off before."""
    early_items: int = 0
    """The part of `items` from the first half."""
    stolen: int = 0
    """The part of `active` in which the hypervisor had the cores that were wanted."""
    done: int = 0
    """Operations and errors of the whole turn, also outside its window."""
    others: int = UNKNOWN
    """CPU time of other programs in as long a time as `active`."""
    cpu: int = 0
    """CPU time of the workers' threads in the part that `active` is; 0 also where it is unknown."""
    queued: int = 0
    """For how long they were ready to run then, and waited for a core."""


class CarryOver(msgspec.Struct, frozen=True):
    """How much lower the throughput of whole slices is than without their first halves.

    Cold caches make the start slower.  It can be faster, too: threads that were woken together
    begin on one core now and then, where they do not yet contend for the interpreter's lock.
    """

    effect: float
    """A share: 0.01 = by 1 %; negative if the first halves were faster."""
    error: float
    """Standard error of the effect."""

    @property
    def least(self) -> float:
        """The least size of the effect at 99 % confidence; negative if chance explains it."""
        return abs(self.effect) - 2.58 * self.error

    @property
    def proven(self) -> bool:
        """Whether the effect exceeds its limit by more than chance explains (99 %)."""
        return self.least > CARRY_OVER


def pack(slices: Iterable[Slice]) -> bytes:
    """Slices as bytes; empty for none."""
    rows = [msgspec.structs.astuple(one) for one in slices]
    if not rows:
        return b""
    columns = [
        [column[0], *(later - one for one, later in pairwise(column))]
        for column in zip(*rows, strict=True)
    ]
    return zlib.compress(msgspec.msgpack.encode(columns), _LEVEL)


_MOST_COLUMNS = len(Slice.__struct_fields__)
_COLUMNS = msgspec.msgpack.Decoder(
    Annotated[
        list[Annotated[list[Whole], msgspec.Meta(max_length=MOST_TURNS)]],
        msgspec.Meta(max_length=_MOST_COLUMNS),
    ]
)
_MOST = 2**62


@lru_cache(maxsize=256)
def unpack(packed: bytes) -> tuple[Slice, ...]:
    """The slices that `pack` received; raises SessionError."""
    if not packed:
        return ()
    try:
        columns = _COLUMNS.decode(inflated(packed, _MOST_BYTES))
        figures = [list(accumulate(column)) for column in columns]
        slices = tuple(Slice(*row) for row in zip(*figures, strict=True))
    except (zlib.error, msgspec.MsgspecError, ValueError, TypeError) as error:
        raise SessionError(f"slices of a trial cannot be read: {error}") from error
    if slices and any(max(column) > _MOST or min(column) < -_MOST for column in figures):
        raise SessionError("slices of a trial are not as they can be")
    return slices


class Beginning(NamedTuple):
    """The round and the start of the first turn, as in `Slice`."""

    round: int
    began: int


def beginning(packed: bytes) -> Beginning | None:
    """The beginning of packed slices, without unpacking all of them.

    None without slices; raises SessionError.
    """
    if not packed:
        return None
    try:
        rounds, begun, *_ = _COLUMNS.decode(inflated(packed, _MOST_BYTES))
        return Beginning(rounds[0], begun[0])
    except (zlib.error, msgspec.MsgspecError, ValueError, IndexError) as error:
        raise SessionError(f"slices of a trial cannot be read: {error}") from error


def are_enough(packed: bytes) -> bool:
    """Whether a trial with these turns, packed, counts although it was cut off.

    Slices that cannot be read are not enough.
    """
    with suppress(SessionError):
        return len(unpack(packed)) >= ENOUGH
    return False


def carry_over(slices: Sequence[Slice]) -> CarryOver | None:
    """The cost of the slices' start, with its error by the jackknife; None with too few slices."""
    halves = [
        (one.items, one.active, one.items - one.early_items, one.active - one.early_active)
        for one in slices
        if 0 < one.early_active < one.active and one.items > one.early_items
    ]
    if len(halves) < 5:
        return None
    items, active, later_items, later_active = (sum(column) for column in zip(*halves, strict=True))
    left_out = [
        _effect(items - own, active - time, later_items - later, later_active - later_time)
        for own, time, later, later_time in halves
    ]
    mean = math.fsum(left_out) / len(halves)
    spread = math.fsum((one - mean) ** 2 for one in left_out)
    effect = _effect(items, active, later_items, later_active)
    return CarryOver(effect, math.sqrt(spread * (len(halves) - 1) / len(halves)))


def _effect(items: int, active: int, later_items: int, later_active: int) -> float:
    return 1 - (items / active) / (later_items / later_active)
