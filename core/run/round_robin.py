"""Round-robin: all settings of a block are alive at once, and one of them at a time has the clock.

Trials that run one after the other lie seconds apart, and an ordinary machine drifts in between:
most of the variation in their ratio comes from the machine.  Here the children of all trials of a
block are prepared and stay alive.  In each round every trial has the clock for a slice of a tenth
of a second, or longer (`core.measure.trial.windows`), in a newly drawn order.  A disturbance of the
machine then affects all of them alike.

A block is one generation of children, and a `Trial` is still one setting's life in one block, with
everything that a trial has; `Trial.turns` has its slices.  Every block starts new children, so that
differences between processes (memory layout, hash seeds) are sampled as before.

Nobody has the clock while trials are prepared and while they are verified and closed, so as many
trials as there are cores are prepared at once, and all finished trials are closed at once: one
after the other, seven trials of 1.5 s had the clock for half of their block only.  The first one is
prepared alone, so that the memory which a trial takes is known before several are started.

The work of a turn is verified in the rest after it.  Every few seconds the trials so far are passed
on (`TrialKept`), so that a kill -9 within a block loses no more than that.
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from time import perf_counter_ns

from core.language import Seconds, SluiceError
from core.measure import (
    JUDGED_EVERY,
    SLICE,
    Cancel,
    Grace,
    Listener,
    LiveTrial,
    MachineRoom,
    Participant,
    Room,
    SliceLengths,
    never_started,
    resident,
    run_trial,
    shut_down,
    usable_cores,
)
from core.run.blocks import RunBlock, RunTrial, in_one_piece
from core.vocabulary import (
    Event,
    RoundBegun,
    RunSpec,
    Slot,
    TrialEnded,
    TrialKept,
    TrialStarted,
    Turns,
    better_of,
)

SLOW = 10.0
"""If an operation takes longer than this many seconds, a trial has all its time in one turn."""
KEPT_EVERY = 5.0
"""Seconds after which the trials so far are passed on again."""


def reason_apart(spec: RunSpec) -> str:
    """Why a setting cannot take turns with others; empty if it can."""
    if spec.load.page_cache == "cold":
        return "the page cache is cold for one setting at a time"
    try:
        setting = spec.setting
        turns = setting.workload.takes_turns(setting.parameters)
    except SluiceError:  # the trial itself says so
        return ""
    return "" if turns else "its work does not stand still between operations"


@dataclass
class RoundRobin:
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
        """One block: settings that can take turns do so; the others then run in one piece."""
        reasons = {slot.index: reason_apart(slot.spec) for slot in slots}
        together = [slot for slot in slots if not reasons[slot.index]]
        if len(together) > 1:
            yield from _Block(self, run_id, cancel, of).carry_out(together)
            slots = [slot for slot in slots if reasons[slot.index]]
        for slot in slots:
            reason = reasons[slot.index]
            yield from in_one_piece(self.run_trial, [slot], run_id, cancel, of, reason)


def _resident(participant: Participant) -> int:
    return resident([one.child.pid for one in participant.live.processes])


class _Block:
    """The children of one block, from the first preparation to the last end."""

    def __init__(self, round_robin: RoundRobin, run_id: str, cancel: Cancel, of: int) -> None:
        self._round_robin = round_robin
        self._run_id = run_id
        self._cancel = cancel
        self._of = of
        self._listener = Listener(cancel)
        self._living: list[Participant] = []
        self._round = 0
        self._zero = 0
        self._passed_on_at = time.monotonic()
        self._most = 0
        """Settings that were alive together when there was no more room; 0 while there was room."""

    def carry_out(self, slots: Sequence[Slot]) -> Iterator[Event]:
        """Run all of these, as many at once as there is room for.

        If there is no room for all, they run in groups.  The first setting stays in every group,
        and its time is spread over them: this anchor makes settings of different groups comparable.
        """
        drawn = random.Random(f"{self._round_robin.seed} {slots[0].block}")
        waiting = list(slots)
        with ExitStack() as resources:
            resources.callback(self._abandon)
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
        starting: deque[Participant] = deque()
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
        """How many trials are prepared at once."""
        return max(1, int(usable_cores())) if self._round_robin.memory else 1

    def _has_room(self, slot: Slot, starting: Collection[Participant]) -> bool:
        processes = sum(len(participant.live.processes) for participant in self._living)
        return self._round_robin.room.another(
            [max(_resident(participant), self._round_robin.memory) for participant in self._living],
            processes + slot.spec.load.processes,
            coming=len(starting) + 1,
        )

    def _take_in(self, slot: Slot, starting: deque[Participant]) -> Iterator[Event]:
        yield TrialStarted(index=slot.index, block=slot.block, of=self._of, spec=slot.spec)
        started, resources = time.time(), ExitStack()
        try:
            live = LiveTrial(slot, self._run_id, self._listener, resources, self._round_robin.grace)
        except (OSError, SluiceError) as error:
            resources.close()
            yield TrialEnded(trial=never_started(slot, started, error))
            return
        participant = Participant(live, resources, started, SLICE)
        self._living.append(participant)
        begun = time.monotonic()
        yield from live.start()
        for other in starting:  # nobody watched these while data was placed
            other.live.watchdog.rested(time.monotonic() - begun)
        starting.append(participant)

    def _make_ready(self, participant: Participant) -> Iterator[Event]:
        live = participant.live
        yield from live.make_ready()
        live.rest()
        self._round_robin.memory = max(self._round_robin.memory, _resident(participant))
        participant.length = self._round_robin.lengths.first(
            live.spec.digest,
            live.operation,
            live.load.duration,
            live.workers,
            one_by_one=live.run_by_run,
        )
        if live.outcome is not None and not self._cancelled():
            yield from self._end(participant)

    def _share_out(self, waiting: int) -> None:
        """Set the time of each trial in this group: all of it, but only a part for an anchor."""
        groups = 1 + -(-waiting // max(len(self._living) - 1, 1)) if waiting else 1
        for index, participant in enumerate(self._living):
            whole = 1e9 * participant.live.load.duration
            participant.from_ = participant.live.measured_ns
            participant.goal = whole
            if index == 0 and len(self._living) > 1:
                participant.goal = (
                    participant.from_ + (whole - participant.from_) / groups if whole else 0.0
                )

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
            # Long turns last: where the time ends meanwhile, most have had theirs.
            due.sort(key=attrgetter("overlong"))
            yield RoundBegun(
                number=self._round,
                left=self._rounds_left,
                trials=tuple(one.live.slot.index for one in due),
            )
            for participant in due:
                yield from self._turn(participant, anchored=participant is anchor)
                if participant.live.work_done and len(participant.live.turns) == 1:
                    # After such a long turn it does not wait for the others.
                    yield from self._end_all([participant])
            yield from self._end_all(
                [participant for participant in self._living if participant.live.work_done]
            )
            self._round += 1
            yield from self._pass_on()

    def _due(self, anchor: Participant | None) -> list[Participant]:
        """The trials that have a turn in this round.

        Trials of different durations end together, so that all are spread over the same time: a
        trial that is ahead of the others sits out, and an anchor that has had its part of a group
        leaves the rest of its time to the groups that follow.
        """
        others = [participant for participant in self._living if participant is not anchor]
        behind = min(participant.share for participant in others)
        return [
            participant
            for participant in self._living
            if participant.share - behind < 0.5 * participant.slice_share + 1e-9
            and not (participant is anchor and participant.spent)
        ]

    @property
    def _rounds_left(self) -> int:
        """Rounds left, including the one that begins; 0 = unknown."""
        return max(
            (
                math.ceil((1 - participant.share) / participant.slice_share)
                if participant.goal
                else 0
                for participant in self._living
            ),
            default=0,
        )

    def _turn(self, participant: Participant, *, anchored: bool) -> Iterator[Event]:
        live = participant.live
        self._look_after_others()
        if self._cancelled():
            return
        if live.outcome is None:
            live.resume()
            seconds = self._seconds(participant, anchored=anchored)
            yield from live.turn(seconds, self._round, self._zero)
            live.rest()
            yield from live.check()
            self._lengthen(participant)
        if self._cancelled():  # then all end together
            return
        for other in list(self._living):  # what it left running would disturb the others' turns
            if other.live.outcome is not None:
                yield from self._end(other)

    def _seconds(self, participant: Participant, *, anchored: bool) -> float | None:
        """How long its turn is; None = until all its work is done."""
        if anchored:
            return participant.length
        if participant.live.operation > SLOW:
            return None
        whole = participant.live.load.duration
        seconds_left = whole - participant.live.measured_ns / 1e9
        # The last turn also takes a short remainder, and ends exactly on time.
        return None if whole and seconds_left < 1.5 * participant.length else participant.length

    def _lengthen(self, participant: Participant) -> None:
        """Lengthen its slices if the measured ones prove too short."""
        turns, live = participant.live.turns, participant.live
        if live.run_by_run:  # no run carries anything over to the next
            return
        if len(turns) > 1 and (len(turns) - participant.judged) % JUDGED_EVERY:
            return
        longer = self._round_robin.lengths.lengthened(
            live.spec.digest,
            participant.length,
            turns.slices(participant.judged),
            live.workers,
            live.load.duration,
        )
        if longer > participant.length:
            participant.length, participant.judged = longer, len(turns)

    def _look_after_others(self) -> None:
        """A child that died during a wait ends only its own trial."""
        for participant in self._living:
            participant.live.look_after()

    def _pass_on(self) -> Iterator[Event]:
        if time.monotonic() - self._passed_on_at < self._round_robin.kept_every:
            return
        for participant in self._living:
            if participant.live.clock_started and participant.live.outcome is None:
                participant.trial_so_far = participant.live.trial_so_far(participant.started)
                yield TrialKept(trial=participant.trial_so_far)
        self._passed_on_at = time.monotonic()

    # Endings.

    def _end_all(self, participants: Sequence[Participant]) -> Iterator[Event]:
        """End these together: each verifies and closes at the same time."""
        if self._cancelled():
            return
        for participant in participants:
            participant.live.resume()
            participant.live.close()
        for participant in participants:
            yield from self._end(participant)

    def _end(self, participant: Participant) -> Iterator[Event]:
        participant.live.resume()
        yield from participant.live.finish()
        if not self._cancelled():
            yield from self._ended(participant)

    def _ended(self, participant: Participant) -> Iterator[Event]:
        yield from participant.live.remove_leftovers()
        turns = participant.live.turns
        self._round_robin.lengths.over(
            participant.live.spec.digest, turns.slices(participant.judged)
        )
        trial = better_of(participant.live.trial(participant.started), participant.trial_so_far)
        self._living.remove(participant)
        participant.resources.close()
        yield TrialEnded(trial=trial)

    def _give_up(self) -> Iterator[Event]:
        """After a request to cancel: end all living trials at once, together."""
        for participant in self._living:
            participant.live.resume()
        self._look_after_others()
        shut_down([participant.live for participant in self._living])
        for participant in list(self._living):
            yield from self._ended(participant)

    def _abandon(self) -> None:
        """Whatever happened, leave nothing behind."""
        shut_down([participant.live for participant in self._living])
        for participant in self._living:
            participant.resources.close()


def block_runner(turns: Turns, seed: int, run_trial: RunTrial) -> RunBlock:
    """The function that runs a block: in turns, or one trial after the other."""
    if turns == "off":
        return partial(in_one_piece, run_trial)
    return RoundRobin(seed=seed, run_trial=run_trial)
