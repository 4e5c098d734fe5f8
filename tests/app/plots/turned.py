"""Blocks in turns as an engine would measure them: the events and the recorded trials."""

from __future__ import annotations

from collections.abc import Sequence

import building
import msgspec

from app.plots.time.run_plots import RunPlots
from core.vocabulary import (
    Event,
    Moment,
    MomentTaken,
    RoundBegun,
    RunSpec,
    Slice,
    Trial,
    TrialEnded,
    TrialStarted,
    pack,
)

SLICE = 0.1


def spec(threads: int) -> RunSpec:
    return building.spec(threads=threads)


class Seat:
    """A setting that takes turns: its clock, what it has done, its looks and slices."""

    def __init__(self, index: int, of: RunSpec) -> None:
        self.index, self.spec = index, of
        self.at, self.done = 0.0, 0
        self.moments: list[Moment] = []
        self.slices: list[Slice] = []

    def look(self, seconds: float, operations: int, number: int | None = None) -> Moment:
        self.at += seconds
        self.done += operations
        moment = Moment(
            at=self.at, operations=(self.done,), cpu=(round(6e8 * self.at),),
            bytes=self.done, errors=0, wrong=0, p50=1_000_000 * (self.index + 1), p99=3_000_000 * (self.index + 1),
            reading=building.reading(self.at), round=number,
        )  # fmt: skip
        self.moments.append(moment)
        return moment

    def trial(self, block: int) -> Trial:
        made = building.trial(self.spec, index=self.index, moments=tuple(self.moments))
        return msgspec.structs.replace(made, block=block, slices=pack(self.slices))


def tell(plots: RunPlots, events: Sequence[Event]) -> None:
    """Let the plots draw what happened."""
    for event in events:
        match event:
            case TrialStarted(index=index, spec=of):
                plots.begin_trial(index, f"threads {of.load.threads}", of.digest)
            case RoundBegun(trials=trials):
                plots.begin_round(trials)
            case MomentTaken(index=index, moment=moment):
                plots.add(index, moment)
            case TrialEnded(trial=trial):
                plots.end_trial(trial)
    plots.redraw()


class Turned:
    """Measures blocks in turns; rates are those of `spec.load.threads`, in thousands."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.trials: list[Trial] = []
        self.number = 0
        """Of the block that is measured."""
        self._wall = 0.0

    def block(self, specs: Sequence[RunSpec], rounds: int, *, wait: float = 0.0) -> None:
        """One block, in which trials of all these begin, and take so many turns."""
        seats = self.seats(specs)
        for number in range(rounds):
            self.round(number, seats if number % 2 else seats[::-1], wait=wait)
        self.end(seats)
        self.number += 1

    def seats(self, specs: Sequence[RunSpec]) -> list[Seat]:
        """Trials of these begin."""
        first = sum(isinstance(event, TrialStarted) for event in self.events)
        seats = [Seat(first + place, each) for place, each in enumerate(specs)]
        for seat in seats:
            self.events.append(
                TrialStarted(index=seat.index, block=self.number, of=9, spec=seat.spec)
            )
        return seats

    def round(self, number: int, seats: Sequence[Seat], *, wait: float = 0.0) -> None:
        """Each has a turn in this order; between turns the machine waits."""
        order = tuple(seat.index for seat in seats)
        self.events.append(RoundBegun(number=number, left=0, trials=order))
        for seat in seats:
            self.turn(number, seat, [(SLICE, 100 * seat.spec.load.threads)])
            self._wall += wait

    def turn(self, number: int, seat: Seat, looks: Sequence[tuple[float, int]]) -> None:
        """One turn with these looks: seconds since the one before, and operations."""
        began = round(1e9 * self._wall)
        for seconds, operations in looks:
            moment = seat.look(seconds, operations, number)
            self.events.append(MomentTaken(index=seat.index, moment=moment))
        length = sum(seconds for seconds, _ in looks)
        self._wall += length
        active, operations = round(1e9 * length), sum(done for _, done in looks)
        seat.slices.append(Slice(number, began, active, operations, 0, 0, 0, 0, done=operations))

    def end(self, seats: Sequence[Seat]) -> None:
        """The last look of each is not told of: it is in the recorded trial alone."""
        for seat in seats:
            place = max(
                at
                for at, event in enumerate(self.events)
                if isinstance(event, MomentTaken) and event.index == seat.index
            )
            trial = seat.trial(self.number)
            self.trials.append(trial)
            self.events[place] = TrialEnded(trial=trial)
