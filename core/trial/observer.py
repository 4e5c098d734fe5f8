"""Turns the shared counters and the samples from outside into the moments of a running trial."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from time import perf_counter_ns
from typing import TYPE_CHECKING, NamedTuple, Protocol

from core.host.processor import usable_cores
from core.host.readings import Reading
from core.language.units import Seconds
from core.result.histogram import Histogram, Latencies, resolves, to_bytes
from core.result.latency_map import LatencyRecorder
from core.result.moments import Moment, Series
from core.trial.counters import MOST_TALLIES, TALLIED, TALLIES, Count, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_AMPLE = 2
"""Factor on the operations that a percentile needs, so that it does not come and go."""


class Counters(Protocol):
    """The numbers of a block, wherever it is."""

    @property
    def slots(self) -> int:
        """How many workers there are."""

    def counts(self) -> list[list[int]]:
        """The current counts of every slot."""

    @property
    def window(self) -> tuple[int, int]:
        """When the window of the turn begins and ends, in ns; 0 and 0 where that is not known."""

    def latencies(self) -> NDArray[np.int64]:
        """All workers' latency buckets, summed."""

    def squares(self) -> int:
        """`TIMED_SQUARES`, summed over all workers."""

    def tallies(self, names: Sequence[str]) -> dict[str, float]:
        """What the workload has counted under these names."""


class Sampling(Protocol):
    """Looks at the processes of a trial, wherever they are."""

    def read(self, at: float, complete: bool = False) -> Reading | None:
        """What they are doing; None when all have ended."""

    def close(self) -> None:
        """Release them."""


class _Seen(NamedTuple):
    """The latencies in the block at one look."""

    counts: NDArray[np.int64]
    squares: int

    @classmethod
    def in_block(cls, block: Counters) -> _Seen:
        return cls(block.latencies(), block.squares())

    def since(self, before: _Seen) -> Latencies:
        """The latencies of the operations between two looks."""
        counts = (self.counts - before.counts).clip(min=0)
        squares = max(self.squares - before.squares, 0)
        return Latencies(histogram=Histogram.of(counts), squares=squares)


class _Latest:
    """A percentile of the latest operations, as many of them as it needs.

    If operations are long, there are too few of them since the last look.
    """

    def __init__(self, percent: float, seen: _Seen) -> None:
        self._percent = percent
        self._since = self._half = seen

    def take(self, now: _Seen) -> int:
        """Nanoseconds; 0 if there are too few operations."""
        if resolves(now.since(self._half).sample / _AMPLE, self._percent):
            self._since, self._half = self._half, now
        latency = now.since(self._since).percentile(self._percent)
        return round(latency.value) if latency else 0


_POINT: Seconds = 1.0
_POINTS = 3
_FEWEST = 5
"""Seconds and operations of windows that one point of a curve is made of, at least; of a short
trial a third of its time.  None is of less: what the first tenth of a second shows is chance."""


class _Windows:
    """What was done in windows, look by look, as far as the latest rate needs it."""

    def __init__(self, duration: Seconds) -> None:
        self._least = min(_POINT, duration / _POINTS) if duration else _POINT
        self._now = (0.0, 0.0, 0.0)
        self._looks = deque([self._now])

    def take(self, measured: Seconds, operations: float, size: float) -> None:
        """All so far.

        A look counts where operations have ended since the one before: from just before an end to
        just after another there seem to be more of them.
        """
        looks, last = self._looks, self._looks[-1]
        self._now = measured, operations, size
        if measured <= last[0]:
            if len(looks) > 1:  # what was under way at its end was counted later
                looks[-1] = self._now
        elif operations > last[1] or measured - last[0] >= self._least:
            looks.append(self._now)
            while measured - looks[1][0] >= self._least and operations - looks[1][1] >= _FEWEST:
                looks.popleft()

    def latest(self, *, complete: bool) -> tuple[Seconds, float, float | None, float | None]:
        """Seconds and operations of all windows; operations and bytes per second of the latest.

        `complete`: even if these are fewer than a point should have, because no more will come.
        """
        (since, before, less), (until, operations, size) = self._looks[0], self._looks[-1]
        seconds, done = until - since, operations - before
        enough = seconds >= 0.99 * self._least and done >= _FEWEST
        if seconds <= 0 or not (enough or (complete and done)):
            return *self._now[:2], None, None
        return *self._now[:2], done / seconds, (size - less) / seconds


_MOVING = (
    Count.STATE,
    Count.ITEMS,
    Count.BYTES,
    Count.ERRORS,
    Count.WRONG,
    Count.PAUSED,
    Count.UNVERIFIED,
)


class Observer:
    """Observes one running trial and keeps every moment."""

    def __init__(
        self, block: Counters, cores: float | None = None, duration: Seconds = 0.0
    ) -> None:
        """`cores`: all that the workers can use together; those of this process, if None.

        `duration`: for how long the trial is measured; 0 = not known.
        """
        self.moments = Series()
        self.first: Reading | None = None
        self.last: Reading | None = None
        self.used: float | None = None
        """CPU seconds of the processes at the last look; None if it failed."""
        self.resident = 0
        """Bytes of the processes' memory at the last look; 0 if there was none."""
        self.tallies: tuple[str, ...] = ()
        """Names of what the workload counts live."""
        self._block = block
        self._sampler: Sampling | None = None
        self._zero = 0
        self._latest = self._percentiles()
        self._over_time = LatencyRecorder()
        self._cores = cores or usable_cores()
        self._cpu = [0] * block.slots
        self._sampled = self._at = 0.0
        self._windows = _Windows(duration)
        self._by_clock = False

    def clock_started(self, sampler: Sampling) -> None:
        """The trial's clock starts now; the sampler looks at its processes."""
        self._sampler = sampler
        self.first = self._read(0.0, complete=False)
        self._zero = perf_counter_ns()
        self._latest = self._percentiles()

    def stood_still(self, nanoseconds: int) -> None:
        """The trial waited this long for its turn; its clock does not count the wait."""
        self._zero += nanoseconds

    def look(self, *, complete: bool = False, at: Seconds | None = None) -> Moment:
        """Take one moment; `complete` includes expensive readings and keeps them as the last.

        `at`: when the counters were as they are now; None = now.
        """
        now = (perf_counter_ns() - self._zero) / 1e9 if at is None else at
        reading = self._read(now, complete)
        if complete and reading is not None:
            self.last = reading
        every = self._block.counts()
        at = now if at is not None else self._worked(every, now)
        self._spread_cpu([slot[Count.CPU] for slot in every], at)
        counts = [slot for slot in every if slot[Count.STARTED]]
        seen = _Seen.in_block(self._block)
        p50, p99 = (latest.take(seen) for latest in self._latest)
        self._over_time.take(at, seen.counts)
        self._take_windows(counts, at)
        measured, counted, rate, byte_rate = self._windows.latest(complete=complete)
        moment = Moment(
            at=at,
            operations=tuple(slot[Count.OPERATIONS] for slot in counts),
            cpu=tuple(
                cpu for cpu, slot in zip(self._cpu, every, strict=True) if slot[Count.STARTED]
            ),
            bytes=sum(slot[Count.BYTES] for slot in counts),
            errors=sum(slot[Count.ERRORS] for slot in counts),
            wrong=sum(slot[Count.WRONG] for slot in counts),
            p50=p50,
            p99=p99,
            reading=reading,
            tallies=self._block.tallies(self.tallies),
            measured=measured,
            counted=counted,
            rate=rate,
            byte_rate=byte_rate,
        )
        self.moments.append(moment)
        return moment

    def _take_windows(self, counts: Sequence[Sequence[int]], at: Seconds) -> None:
        """By the same windows as the throughput of the trial."""
        done = sum(slot[Count.OPERATIONS] for slot in counts)
        operations = sum(slot[Count.WINDOW_OPERATIONS] for slot in counts) / TALLIED
        alone = any(slot[Count.OWN] for slot in counts)
        self._by_clock = self._by_clock or (alone and done > 0 >= operations)
        if self._by_clock:  # of a client that counts by itself, all of it is one window
            self._windows.take(at, done, sum(slot[Count.BYTES] for slot in counts))
            return
        measured = sum(slot[Count.WINDOW_TIME] for slot in counts) / max(len(counts), 1)
        running = sum(slot[Count.STATE] == State.RUNNING for slot in counts)
        if running and not alone:
            begin, end = self._block.window
            if not begin <= (now := min(perf_counter_ns(), end)) or not begin:
                return
            measured += (now - begin) * running / len(counts)
        size = sum(slot[Count.WINDOW_BYTES] for slot in counts)
        self._windows.take(measured / 1e9, operations, size)

    def _worked(self, every: Sequence[Sequence[int]], now: Seconds) -> Seconds:
        """The time of a moment: by its own clock of a trial's only worker, as its throughput is."""
        working = [slot for slot in every if slot[Count.STARTED]]
        if len(working) != 1 or not (own := working[0][Count.OWN]):
            return now
        behind = working[0][Count.BEHIND]
        at = ((perf_counter_ns() - behind if behind else own) - self._zero) / 1e9
        self._at = max(self._at, at)  # what is under way may be a pause already
        return self._at

    def _spread_cpu(self, used: Sequence[int], at: Seconds) -> None:
        """Take in the CPU time of each worker, no more than can be of the time since the last look.

        A worker tells it between two chunks of its work, so that the time of a long operation, or
        of a whole turn, comes at once: a look soon after another saw many cores' worth of it.
        """
        elapsed = max(0.0, 1e9 * (at - self._sampled))
        self._sampled = at
        late = [min(now - seen, elapsed) for now, seen in zip(used, self._cpu, strict=True)]
        share = min(1.0, self._cores * elapsed / max(sum(late), 1.0))
        self._cpu = [seen + int(share * more) for seen, more in zip(self._cpu, late, strict=True)]

    def _percentiles(self) -> tuple[_Latest, _Latest]:
        seen = _Seen.in_block(self._block)
        return _Latest(50.0, seen), _Latest(99.0, seen)

    def _read(self, at: float, complete: bool) -> Reading | None:
        if self._sampler is None:
            return None
        try:
            reading = self._sampler.read(at, complete=complete)
        except OSError:  # no descriptors left to look at a new process
            reading = None
        self.resident = 0 if reading is None else reading.rss
        self.used = None if reading is None else reading.cpu_user + reading.cpu_system
        return reading

    def close(self) -> None:
        if self._sampler is not None:
            self._sampler.close()

    def movement(self) -> tuple[int, ...]:
        """A value that changes whenever any worker makes progress."""
        moving = (*_MOVING, *range(TALLIES, TALLIES + MOST_TALLIES))
        return tuple(slot[count] for slot in self._block.counts() for count in moving)

    def histogram(self) -> bytes:
        """All latencies that were timed, packed."""
        return to_bytes(Histogram.of(self._block.latencies()))

    def latency_map(self) -> bytes:
        """The same over the time of the trial, packed; what came after the last look is in it."""
        self._over_time.take(0.0, self._block.latencies())
        return self._over_time.packed
