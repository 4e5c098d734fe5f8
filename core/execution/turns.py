"""Turns: all settings of a block are alive at once, and one of them at a time has the clock.

Trials that run one after the other lie seconds apart, and an ordinary machine drifts in between:
most of the variation in their ratio comes from the machine.  Here the children of all trials of a
block are prepared and stay alive.  In each round every trial has the clock for a slice of a tenth
of a second, or longer (`slice_lengths.py`), in a newly drawn order.  A disturbance of the machine
then affects all of them alike.

A block is one generation of children, and a `Trial` is still one setting's life in one block, with
everything that a trial has; `Trial.turns` has its slices.  Every block starts new children, so that
differences between processes (memory layout, hash seeds) are sampled as before.

Nobody has the clock while trials are prepared and while they are verified and closed, so as many of
them as there are cores are prepared at once, and all that are done are closed at once: with one
after the other, seven trials of 1.5 s had the clock for half of their block only.  The first one is
prepared alone, so that the memory which a trial takes is known before several are started.

What a turn did is verified in the rest after it.  Each trial so far is reported every few seconds
(`TrialKept`), so that a kill -9 in the middle of a block loses no more than that.
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from time import perf_counter_ns

import msgspec

from core.catalog import registry
from core.errors import SluiceError
from core.execution.events import Event
from core.execution.slice_lengths import JUDGED_EVERY, SLICE, SliceLengths
from core.host.descriptors import MachineRoom, Room, resident
from core.host.environment import usable_cores
from core.language.units import Seconds
from core.plan.schedule import Slot
from core.plan.spec import RunSpec
from core.result.attempts import better_of
from core.result.result import Trial
from core.trial.cancel import Cancel
from core.trial.listener import Grace, Listener, shut_down
from core.trial.live_trial import LiveTrial
from core.trial.parent import run_trial
from core.trial.trial_events import RoundBegun, TrialEnded, TrialKept, TrialStarted
from core.trial.trial_value import never_started

SLOW = 10.0
"""If an operation takes longer than this many seconds, a trial has all its time in one turn."""
KEPT_EVERY = 5.0
"""Seconds between two reports of the trials so far."""

type RunTrial = Callable[[Slot, str, Cancel], Iterator[Event]]


def reason_apart(spec: RunSpec) -> str:
    """Why a setting cannot take turns with others; empty if it can."""
    if spec.load.page_cache == "cold":
        return "the page cache is cold for one setting at a time"
    try:
        workload = registry.load_workload(spec.workload)
    except SluiceError:  # the trial itself says so
        return ""
    return "" if workload.turns else "its work does not stand still between operations"


@dataclass
class Rotation:
    """Runs the blocks of one run in turns; remembers how long slices must be."""

    seed: int
    run_trial: RunTrial = run_trial
    room: Room = field(default_factory=MachineRoom)
    lengths: SliceLengths = field(default_factory=SliceLengths)
    memory: int = 0
    """Resident bytes of the largest trial so far, when it was ready; 0 before the first."""
    grace: Grace = field(default_factory=Grace)
    """For the trials that take turns."""
    kept_every: Seconds = KEPT_EVERY

    def __call__(
        self, slots: Sequence[Slot], run_id: str, cancel: Cancel, of: int
    ) -> Iterator[Event]:
        """One block: settings that can take turns do so; the rest then runs in one piece."""
        reasons = {slot.index: reason_apart(slot.spec) for slot in slots}
        together = [slot for slot in slots if not reasons[slot.index]]
        if len(together) > 1:
            yield from _Generation(self, run_id, cancel, of).carry_out(together)
            slots = [slot for slot in slots if reasons[slot.index]]
        for slot in slots:
            reason = reasons[slot.index]
            yield from in_one_piece(self.run_trial, [slot], run_id, cancel, of=of, reason=reason)


def in_one_piece(  # noqa: PLR0913 -- a block, and why
    run_trial: RunTrial,
    slots: Sequence[Slot],
    run_id: str,
    cancel: Cancel,
    *,
    of: int,
    reason: str,
) -> Iterator[Event]:
    """One trial after the other; each gives the reason why it had no turns."""
    for slot in slots:
        if cancel.requested:
            return
        yield TrialStarted(index=slot.index, block=slot.block, of=of, spec=slot.spec)
        for event in run_trial(slot, run_id, cancel):
            yield _apart(event, reason)


def _apart(event: Event, reason: str) -> Event:
    """The same event; a trial in it gives the reason why it had no turns."""
    if not reason or not isinstance(event, TrialEnded):
        return event
    return TrialEnded(trial=msgspec.structs.replace(event.trial, apart=reason))


@dataclass
class _Seat:
    """One setting that takes turns."""

    live: LiveTrial
    held: ExitStack
    started: float
    length: float
    judged: int = 0
    """The first slice of its current length."""
    from_: int = 0
    """Active ns when its group began."""
    goal: float = 0.0
    """Active ns that it should have at the group's end; 0 = until its operations are done."""
    kept: Trial | None = None
    """The trial as it was last reported."""

    @property
    def share(self) -> float:
        """How much of its time in this group it has had; 0 if it has no fixed time."""
        if not self.goal:
            return 0.0
        return (self.live.given - self.from_) / max(self.goal - self.from_, 1)

    @property
    def spent(self) -> bool:
        """Whether another slice would exceed its time in this group by half a slice or more."""
        return self.share > 0 and self.share + 0.5 * self.slice_share > 1 - 1e-9

    @property
    def slice_share(self) -> float:
        """What one more slice adds to its share."""
        return 1e9 * self.length / max(self.goal - self.from_, 1) if self.goal else 0.0


def _resident(seat: _Seat) -> int:
    return resident([one.child.pid for one in seat.live.processes])


class _Generation:
    """The children of one block, from the first preparation to the last end."""

    def __init__(self, rotation: Rotation, run_id: str, cancel: Cancel, of: int) -> None:
        self._rotation = rotation
        self._run_id = run_id
        self._cancel = cancel
        self._of = of
        self._listener = Listener(cancel)
        self._living: list[_Seat] = []
        self._round = 0
        self._zero = 0
        self._kept = time.monotonic()
        self._most = 0
        """Settings that were alive together when there was no more room; 0 while there was room."""

    def carry_out(self, slots: Sequence[Slot]) -> Iterator[Event]:
        """Run all of these, as many at once as there is room for.

        If there is no room for all, they run in groups.  The first setting stays in every group,
        and its time is spread over them: this anchor makes settings of different groups comparable.
        """
        drawn = random.Random(f"{self._rotation.seed} {slots[0].block}")
        waiting = list(slots)
        with ExitStack() as held:
            held.callback(self._abandon)
            while (waiting or self._living) and not self._cancelled():
                yield from self._prepare(waiting)
                self._share_out(len(waiting))
                yield from self._rounds(drawn, anchored=bool(waiting))
            yield from self._give_up()

    def _cancelled(self) -> bool:
        return self._cancel.requested

    # Preparing.

    def _prepare(self, waiting: list[Slot]) -> Iterator[Event]:
        most = math.inf
        if self._most:  # groups of equal size, without a last group of a few leftovers
            groups = -(-len(waiting) // max(self._most - 1, 1))
            most = 1 + -(-len(waiting) // max(groups, 1))
        starting: deque[_Seat] = deque()
        while (waiting or starting) and not self._cancelled():
            full = self._living and (
                len(self._living) >= most
                or (bool(waiting) and not self._has_room(waiting[0], starting))
            )
            if waiting and not full and len(starting) < self._at_once:
                yield from self._take_in(waiting.pop(0), starting)
            elif starting:
                yield from self._make_ready(starting.popleft())
            else:
                self._most = self._most or len(self._living)
                return

    @property
    def _at_once(self) -> int:
        """How many are prepared at once."""
        return max(1, int(usable_cores())) if self._rotation.memory else 1

    def _has_room(self, slot: Slot, starting: Collection[_Seat]) -> bool:
        processes = sum(len(seat.live.processes) for seat in self._living)
        return self._rotation.room.another(
            [max(_resident(seat), self._rotation.memory) for seat in self._living],
            processes + slot.spec.load.processes,
            coming=len(starting) + 1,
        )

    def _take_in(self, slot: Slot, starting: deque[_Seat]) -> Iterator[Event]:
        yield TrialStarted(index=slot.index, block=slot.block, of=self._of, spec=slot.spec)
        started, held = time.time(), ExitStack()
        try:
            live = LiveTrial(slot, self._run_id, self._listener, held, self._rotation.grace)
        except (OSError, SluiceError) as error:
            held.close()
            yield TrialEnded(trial=never_started(slot, started, error))
            return
        seat = _Seat(live, held, started, SLICE)
        self._living.append(seat)
        begun = time.monotonic()
        yield from live.start()
        for other in starting:  # if data was placed, nobody looked after these
            other.live.watchdog.rested(time.monotonic() - begun)
        starting.append(seat)

    def _make_ready(self, seat: _Seat) -> Iterator[Event]:
        live = seat.live
        yield from live.make_ready()
        live.rest()
        self._rotation.memory = max(self._rotation.memory, _resident(seat))
        seat.length = self._rotation.lengths.first(
            live.spec.digest, live.operation, live.load.duration, live.workers
        )
        if live.outcome is not None and not self._cancelled():
            yield from self._end(seat)

    def _share_out(self, waiting: int) -> None:
        """Set the time of each in this group: all of it, but only a part for an anchor."""
        groups = 1 + -(-waiting // max(len(self._living) - 1, 1)) if waiting else 1
        for place, seat in enumerate(self._living):
            whole = 1e9 * seat.live.load.duration
            seat.from_ = seat.live.given
            seat.goal = whole
            if place == 0 and len(self._living) > 1:
                seat.goal = seat.from_ + (whole - seat.from_) / groups if whole else 0.0

    # Rounds.

    def _rounds(self, drawn: random.Random, *, anchored: bool) -> Iterator[Event]:
        """Take turns until all have had their time; with later groups, all but the anchor."""
        self._zero = self._zero or perf_counter_ns()
        anchor = self._living[0] if anchored and len(self._living) > 1 else None
        while (
            self._living
            and (len(self._living) > 1 or self._living[0] is not anchor)
            and not self._cancelled()
        ):
            due = self._due(anchor)
            drawn.shuffle(due)
            yield RoundBegun(
                number=self._round, left=self._rounds_left, trials=tuple(self._indexes(due))
            )
            for seat in due:
                yield from self._turn(seat, anchored=seat is anchor)
            yield from self._end_all([seat for seat in self._living if seat.live.work_done])
            self._round += 1
            yield from self._tell_so_far()

    def _due(self, anchor: _Seat | None) -> list[_Seat]:
        """The trials that have a turn in this round.

        Trials of different durations end together, so that all are spread over the same time: a
        trial that is ahead of the others sits out, and an anchor that has had its part of a group
        leaves the rest of its time to the groups that follow.
        """
        others = [seat for seat in self._living if seat is not anchor]
        behind = min(seat.share for seat in others)
        return [
            seat
            for seat in self._living
            if seat.share - behind < 0.5 * seat.slice_share + 1e-9
            and not (seat is anchor and seat.spent)
        ]

    @property
    def _rounds_left(self) -> int:
        """Rounds left, including the one that begins; 0 = unknown."""
        return max(
            (
                math.ceil((1 - seat.share) / seat.slice_share) if seat.goal else 0
                for seat in self._living
            ),
            default=0,
        )

    @staticmethod
    def _indexes(seats: Sequence[_Seat]) -> Iterator[int]:
        return (seat.live.slot.index for seat in seats)

    def _turn(self, seat: _Seat, *, anchored: bool) -> Iterator[Event]:
        live = seat.live
        self._look_after_others()
        if self._cancelled():
            return
        if live.outcome is None:
            live.resume()
            seconds = self._seconds(seat, anchored=anchored)
            yield from live.turn(seconds, self._round, self._zero)
            live.rest()
            yield from live.check()
            self._lengthen(seat)
        if self._cancelled():  # then all end together
            return
        for other in list(self._living):  # what it left running would disturb the others' turns
            if other.live.outcome is not None:
                yield from self._end(other)

    def _seconds(self, seat: _Seat, *, anchored: bool) -> float | None:
        """How long its turn is; None = until all its work is done."""
        if anchored:
            return seat.length
        if seat.live.operation > SLOW:
            return None
        whole = seat.live.load.duration
        left = whole - seat.live.given / 1e9
        # The last turn also takes what would be left over, and ends exactly on time.
        return None if whole and left < 1.5 * seat.length else seat.length

    def _lengthen(self, seat: _Seat) -> None:
        """Make its slices longer if what they show asks for it."""
        turns, live = seat.live.turns, seat.live
        if len(turns) > 1 and (len(turns) - seat.judged) % JUDGED_EVERY:
            return
        longer = self._rotation.lengths.lengthened(
            live.spec.digest,
            seat.length,
            turns.slices(seat.judged),
            live.workers,
            live.load.duration,
        )
        if longer > seat.length:
            seat.length, seat.judged = longer, len(turns)

    def _look_after_others(self) -> None:
        """A child that died during a wait ends only its own trial."""
        for seat in self._living:
            seat.live.look_after()

    def _tell_so_far(self) -> Iterator[Event]:
        if time.monotonic() - self._kept < self._rotation.kept_every:
            return
        for seat in self._living:
            if seat.live.went and seat.live.outcome is None:
                seat.kept = seat.live.trial_so_far(seat.started)
                yield TrialKept(trial=seat.kept)
        self._kept = time.monotonic()

    # Endings.

    def _end_all(self, seats: Sequence[_Seat]) -> Iterator[Event]:
        """End these together: each verifies and closes at the same time."""
        if self._cancelled():
            return
        for seat in seats:
            seat.live.resume()
            seat.live.close()
        for seat in seats:
            yield from self._end(seat)

    def _end(self, seat: _Seat) -> Iterator[Event]:
        seat.live.resume()
        yield from seat.live.finish()
        if not self._cancelled():
            yield from self._ended(seat)

    def _ended(self, seat: _Seat) -> Iterator[Event]:
        yield from seat.live.sweep()
        turns = seat.live.turns
        self._rotation.lengths.over(seat.live.spec.digest, turns.slices(seat.judged))
        trial = better_of(seat.live.trial(seat.started), seat.kept)
        self._living.remove(seat)
        seat.held.close()
        yield TrialEnded(trial=trial)

    def _give_up(self) -> Iterator[Event]:
        """After a request to cancel: end all living trials at once, together."""
        for seat in self._living:
            seat.live.resume()
        self._look_after_others()
        shut_down([seat.live for seat in self._living])
        for seat in list(self._living):
            yield from self._ended(seat)

    def _abandon(self) -> None:
        """Whatever happened, leave nothing behind."""
        shut_down([seat.live for seat in self._living])
        for seat in self._living:
            seat.held.close()
