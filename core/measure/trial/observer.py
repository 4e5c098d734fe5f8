"""Turns the shared counters and the samples from outside into the moments of a running trial."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, Protocol

from core.language import Seconds
from core.measure.machine.processor import usable_cores
from core.measure.trial.counters import MOST_TALLIES, TALLIED, TALLIES, Count, State
from core.measure.trial.latest_figures import LatencyCounts, LatestPercentile, LatestRate, Totals
from core.vocabulary import Histogram, LatencyRecorder, Moment, Reading, Series, to_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Counters(Protocol):
    """The numbers of a block, wherever it is."""

    @property
    def slots(self) -> int:
        """How many workers there are."""

    def counts(self) -> list[list[int]]:
        """The current counts of every slot."""

    @property
    def window(self) -> tuple[int, int]:
        """Begin and end of the turn's window, in ns; 0 and 0 if unknown."""

    def latencies(self) -> NDArray[np.int64]:
        """All workers' latency buckets, summed."""

    def squares(self) -> int:
        """`TIMED_SQUARES`, summed over all workers."""

    def tallies(self, names: Sequence[str]) -> dict[str, float]:
        """The workload's counts under these names."""


class Sampling(Protocol):
    """Looks at the processes of a trial, wherever they are."""

    def read(self, at: float, complete: bool = False) -> Reading | None:
        """A reading of the processes; None when all have ended."""

    def close(self) -> None:
        """Release them."""


type Slots = Sequence[Sequence[int]]
"""The counts of some slots, each in the order of `Count`."""

_SHOW_PROGRESS = (
    Count.STATE,
    Count.ITEMS,
    Count.BYTES,
    Count.ERRORS,
    Count.WRONG,
    Count.PAUSED,
    Count.UNVERIFIED,
    *range(TALLIES, TALLIES + MOST_TALLIES),
)
"""Counts of which one at least changes whenever a worker makes progress."""


class Observer:
    """Observes one running trial and keeps every moment."""

    def __init__(
        self, block: Counters, cores: float | None = None, duration: Seconds = 0.0
    ) -> None:
        """`cores`: how many the workers can use together; None = those of this process.

        `duration`: for how long the trial is measured; 0 = not known.
        """
        self._block = block
        self._cores = cores or usable_cores()
        self.tallies: tuple[str, ...] = ()
        """Names of the workload's live counts."""
        self.round: int | None = None
        """Round of the current or latest turn; None if the trial takes no turns."""

        # The readings so far.
        self.moments = Series()
        self.first: Reading | None = None
        self.last: Reading | None = None
        self._latency_recorder = LatencyRecorder()

        # The processes, from outside.
        self._sampler: Sampling | None = None
        self.used: float | None = None
        """CPU seconds of the processes at the last look; None if it failed."""
        self.resident = 0
        """Bytes of the processes' memory at the last look; 0 if there was none."""

        # The trial's clock.
        self._zero = 0
        """The monotonic clock at 0 of the trial's clock, in ns; each wait for a turn moves it
        on."""
        self._only_worker_at: Seconds = 0.0
        """The latest time by the own clock of a trial's only worker."""

        # The state that a look needs from earlier looks.
        self._p50, self._p99 = self._percentiles()
        self._rate = LatestRate(duration)
        self._client_counts = False
        """Whether a client counts its work by itself."""
        self._cpu = [0] * block.slots
        """Nanoseconds of CPU of each slot's worker, as far as they are shown."""
        self._cpu_at: Seconds = 0.0
        """The trial's time up to which CPU is shown."""

    def clock_started(self, sampler: Sampling) -> None:
        """The trial's clock starts now; the sampler looks at its processes."""
        self._sampler = sampler
        self.first = self._read(0.0, complete=False)
        self._zero = perf_counter_ns()
        self._p50, self._p99 = self._percentiles()

    def stood_still(self, nanoseconds: int) -> None:
        """The trial waited this long for its turn; its clock does not count the wait."""
        self._zero += nanoseconds

    def look(self, *, complete: bool = False, counted_at: Seconds | None = None) -> Moment:
        """Take one moment; `complete` includes expensive readings and keeps them as the last.

        `counted_at`: the time of the counters' values; None = now.
        """
        looked_at = (perf_counter_ns() - self._zero) / 1e9 if counted_at is None else counted_at
        reading = self._read(looked_at, complete)
        if complete and reading is not None:
            self.last = reading
        slots = self._block.counts()
        started = [slot for slot in slots if slot[Count.STARTED]]
        at = self._time_of_only_worker(started, looked_at) if counted_at is None else counted_at
        self._spread_cpu(slots, at)
        latencies = self._latency_counts()
        self._latency_recorder.take(at, latencies.counts)
        self._update_rate(started, at)
        totals, rate = self._rate.totals, self._rate.rate(complete=complete)
        moment = Moment(
            at=at,
            operations=tuple(slot[Count.OPERATIONS] for slot in started),
            cpu=tuple(
                cpu for cpu, slot in zip(self._cpu, slots, strict=True) if slot[Count.STARTED]
            ),
            bytes=_total(started, Count.BYTES),
            errors=_total(started, Count.ERRORS),
            wrong=_total(started, Count.WRONG),
            p50=self._p50.update(latencies),
            p99=self._p99.update(latencies),
            reading=reading,
            tallies=self._block.tallies(self.tallies),
            measured=totals.seconds,
            counted=totals.operations,
            rate=rate.operations,
            byte_rate=rate.bytes,
            round=self.round,
        )
        self.moments.append(moment)
        return moment

    def movement(self) -> tuple[int, ...]:
        """A value that changes whenever any worker makes progress."""
        return tuple(slot[count] for slot in self._block.counts() for count in _SHOW_PROGRESS)

    def histogram(self) -> bytes:
        """All latencies that were timed, packed."""
        return to_bytes(Histogram.of(self._block.latencies()))

    def latency_map(self) -> bytes:
        """The latencies over the time of the trial, packed, including those after the last look."""
        self._latency_recorder.take(0.0, self._block.latencies())
        return self._latency_recorder.packed

    def close(self) -> None:
        if self._sampler is not None:
            self._sampler.close()

    # The parts of a look, in order.

    def _read(self, at: Seconds, complete: bool) -> Reading | None:
        if self._sampler is None:
            return None
        try:
            reading = self._sampler.read(at, complete=complete)
        except OSError:  # no descriptors left to look at a new process
            reading = None
        self.resident = 0 if reading is None else reading.rss
        self.used = None if reading is None else reading.cpu_user + reading.cpu_system
        return reading

    def _time_of_only_worker(self, started: Slots, looked_at: Seconds) -> Seconds:
        """The time of a look: with one worker by that worker's own clock, as its throughput.

        That clock began with the worker, which may be long after its waking.  `OWN` is where it
        stood at the last count, and 0 before it began.  `BEHIND` is how far it is behind the
        monotonic clock, and 0 while it stands still.
        """
        if len(started) != 1:
            self._only_worker_at = looked_at
        elif started[0][Count.OWN]:
            behind = started[0][Count.BEHIND]
            own = perf_counter_ns() - behind if behind else started[0][Count.OWN]
            # The current stretch may already be a pause: then the clock seems to go back.
            at = (own - started[0][Count.STARTED]) / 1e9
            self._only_worker_at = max(self._only_worker_at, at)
        return self._only_worker_at

    def _spread_cpu(self, slots: Slots, at: Seconds) -> None:
        """Take in the CPU time of each worker, but only as much as fits since the last look.

        A worker counts it between two chunks of its work, so that the time of a long operation, or
        of a whole turn, arrives at once: a look soon after another would show many cores' worth.
        """
        elapsed = max(0.0, 1e9 * (at - self._cpu_at))
        self._cpu_at = at
        late = [
            min(slot[Count.CPU] - cpu, elapsed) for slot, cpu in zip(slots, self._cpu, strict=True)
        ]
        share = min(1.0, self._cores * elapsed / max(sum(late), 1.0))
        self._cpu = [cpu + int(share * more) for cpu, more in zip(self._cpu, late, strict=True)]

    def _latency_counts(self) -> LatencyCounts:
        return LatencyCounts(self._block.latencies(), self._block.squares())

    def _percentiles(self) -> tuple[LatestPercentile, LatestPercentile]:
        latencies = self._latency_counts()
        return LatestPercentile(50.0, latencies), LatestPercentile(99.0, latencies)

    def _update_rate(self, started: Slots, at: Seconds) -> None:
        """Update the rate, by the same windows as the throughput of the trial."""
        operations = _total(started, Count.WINDOW_OPERATIONS) / TALLIED
        done = _total(started, Count.OPERATIONS)
        alone = any(slot[Count.OWN] for slot in started)
        # A client that counts by itself says only at its end what was done in windows, and has one
        # window, which is as long as the trial.
        if alone and done > 0 and operations <= 0:
            self._client_counts = True
        if self._client_counts:
            self._rate.update(Totals(at, done, _total(started, Count.BYTES)))
            return
        nanoseconds = self._window_time(started, alone=alone)
        if nanoseconds is not None:
            size = _total(started, Count.WINDOW_BYTES)
            self._rate.update(Totals(nanoseconds / 1e9, operations, size))

    def _window_time(self, started: Slots, *, alone: bool) -> float | None:
        """For how many ns workers have measured so far, on average; None if unknown.

        `alone`: whether the trial has one worker.
        """
        counted = _total(started, Count.WINDOW_TIME) / max(len(started), 1)
        running = sum(slot[Count.STATE] == State.RUNNING for slot in started)
        # Between turns all is counted; a trial's only worker counts its time with its work.
        if alone or not running:
            return counted
        # In the middle of a turn, running workers have not counted their time in its window yet.
        begin, end = self._block.window
        now = min(perf_counter_ns(), end)
        if not begin or now < begin:  # the turn has no window yet, or is in its run-in
            return None
        return counted + (now - begin) * running / len(started)


def _total(slots: Slots, count: Count) -> int:
    return sum(slot[count] for slot in slots)
