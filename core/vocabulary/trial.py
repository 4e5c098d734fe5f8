"""A trial with its figures.  Values that can be derived are not stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property

from core.vocabulary.anomalies import Anomalies, anomalies_of
from core.vocabulary.histogram import Latencies, from_bytes
from core.vocabulary.job import OfPrograms
from core.vocabulary.machine import Residency, is_proven_cold
from core.vocabulary.moments import most
from core.vocabulary.slices import Slice
from core.vocabulary.trial_record import TrialRecord, WorkerTotals


def phase_shares(trials: Iterable[Trial]) -> dict[str, tuple[float, float]]:
    """The share of each step of an operation in all workers' time, and its seconds."""
    seconds: Counter[str] = Counter()
    for trial in trials:
        seconds.update(trial.phase_seconds())
    whole = seconds.total()
    return {name: (spent / whole, spent) for name, spent in seconds.items()} if whole else {}


class Trial(TrialRecord, frozen=True, kw_only=True, dict=True):
    """One run of one spec.  Figures that tables and plots ask for repeatedly are computed once."""

    @cached_property
    def throughput(self) -> float | None:
        """Operations per second on the wall while all workers were active; None unless valid.

        Of a shortened trial: per second of its complete turns.
        """
        return self._rate(
            lambda one: one.operations,
            lambda worker: worker.window_operations,
            lambda worker: worker.operations,
        )

    @cached_property
    def byte_rate(self) -> float | None:
        """Bytes per second while all workers were active, as for `throughput`."""
        return self._rate(
            lambda one: one.bytes, lambda worker: worker.window_bytes, lambda worker: worker.bytes
        )

    @property
    def stolen(self) -> float:
        """Share of its time in which the hypervisor had the cores that it wanted; 0 = unknown.

        A virtual machine is not there while the hypervisor runs another one on its cores.  Rates
        are per second on the wall all the same, as of any other program; paired blocks cancel it.
        The share counts as far as its threads kept the cores busy or waited for them.
        """
        return self.pressure * self.noise.stolen_share if self.noise else 0.0

    @property
    def pressure(self) -> float:
        """How much of its time it kept as many cores busy, or waited for them, as it could use."""
        first, last, noise = self.first, self.last, self.noise
        if first is None or last is None or noise is None or not self.workers:
            return 0.0
        threads = max(len(self.workers), self.client_threads)
        able = noise.seconds * min(threads, self.cores_of(noise.cores))
        waited = (last.queued or 0.0) - (first.queued or 0.0)
        demand = (noise.own or 0.0) + (noise.steal or 0.0) + max(waited, 0.0)
        # The ticks come from several accounts, and more threads than the workers may want cores.
        return min(demand / able, 1.0) if able > 0 else 0.0

    def _rate(
        self,
        in_turn: Callable[[Slice], int],
        in_windows: Callable[[WorkerTotals], float],
        in_all: Callable[[WorkerTotals], int],
    ) -> float | None:
        """The count in windows, over their time; workers of a process share their windows.

        Where some worker had no work left before the last had come, there was no window: then the
        whole count, over the time from the first start to the last end.
        """
        if not self.valid:
            return None
        if self.shortened:
            count, seconds = sum(map(in_turn, self.turns)), self.seconds_in_turns
        elif measured := [worker for worker in self.workers if worker.window]:
            return sum(1e9 * in_windows(worker) / worker.window for worker in measured)
        else:
            paused = self.workers[0].paused if len(self.workers) == 1 else 0
            count, seconds = self.total(in_all), self.last_done - paused / 1e9
        return count / seconds if seconds > 0 else 0.0

    @property
    def cores_in_windows(self) -> float:
        """CPU seconds of the workers' own threads per second of their windows."""
        return sum(one.window_cpu / one.window for one in self.workers if one.window)

    def exceeds(self, cores: float) -> bool:
        """Whether its windows claim more CPU time than so many cores have.

        Then it counted threads as if each had a core of its own, which is several times as much.
        Half more is allowed, and a tenth of a second in all: a batch counts by the share of its
        time on the wall that lay in a window.  128 threads on two cores came to 1.28 times the time
        of these.
        """
        seconds = max((one.window for one in self.workers), default=0) / 1e9
        return seconds > 0 and self.cores_in_windows > cores * (1.5 + 0.1 / seconds)

    @property
    def first_done(self) -> float:
        """Seconds until the first worker had no more to do."""
        return self._done(min)

    @property
    def last_done(self) -> float:
        """Seconds until the last worker had no more to do."""
        return self._done(max)

    def _done(self, which: Callable[[Iterable[int]], int]) -> float:
        if not self.workers:
            return 0.0
        start = min(worker.started for worker in self.workers)
        return (which(worker.ended for worker in self.workers) - start) / 1e9

    def phase_seconds(self) -> dict[str, float]:
        """Seconds of all workers in each step; empty if an operation has only one step."""
        if len(self.steps) < 2:
            return {}
        return {
            name: sum(worker.phases[place] for worker in self.workers) / 1e9
            for place, name in enumerate(self.steps)
        }

    @property
    def latencies(self) -> Latencies | None:
        """The latencies; None if no single operation was timed."""
        if not self.histogram or not self.total(lambda worker: worker.timed):
            return None
        squares = self.total(lambda worker: worker.timed_squares)
        return Latencies(histogram=from_bytes(self.histogram), squares=squares)

    def latency(self, quantile: float) -> float | None:
        """Seconds within which that share of the operations ended; None if not resolvable."""
        latencies = self.latencies
        return latencies.seconds(quantile) if latencies else None

    @cached_property
    def anomalies(self) -> Anomalies:
        """Where it stood still, what grew and where it changed.  Raises SessionError."""
        return anomalies_of(self)

    @property
    def longest(self) -> float | None:
        """Seconds of the longest operation; None unless each was timed."""
        latencies = self.latencies
        return latencies.longest if latencies else None

    @property
    def peak_rss(self) -> int | None:
        """Most bytes ever resident, summed over the processes; where the trial ran programs, theirs
        alone, or None if they ended before the first look.
        """
        if OfPrograms.PEAK in self.counters:
            return round(self.counters[OfPrograms.PEAK]) or None
        return self._most("peak_rss") or None

    @property
    def most_fds(self) -> int | None:
        """Most files that were open at once; where the trial ran programs, theirs alone."""
        if OfPrograms.FILES in self.counters:
            return round(self.counters[OfPrograms.FILES])
        return self._most("fds")

    @property
    def most_dataset_fds(self) -> int | None:
        return self._most("dataset_fds")

    def _most(self, figure: str) -> int | None:
        last = getattr(self.last, figure) if self.last is not None else None
        values = [value for value in (most(self.moments, figure), last) if value is not None]
        return max(values, default=None)

    @property
    def tallies(self) -> tuple[str, ...]:
        """Names of the counters that were counted live."""
        return tuple(self.moments[-1].tallies) if self.moments else ()

    @cached_property
    def cpu_seconds(self) -> float | None:
        """CPU of the workers while the clock ran."""
        return self.total(lambda worker: worker.cpu) / 1e9 if self.workers else None

    @property
    def elapsed(self) -> float | None:
        """Seconds from first to last operation, without verification, of the slowest worker."""
        times = [worker.ended - worker.started - worker.paused for worker in self.workers]
        return max(times) / 1e9 if times else None

    @property
    def process_cpu(self) -> float | None:
        """CPU seconds of the processes while the clock ran, including threads of libraries.

        Each process counts its own by the kernel's account of it, in its turns alone.
        """
        counts = [one.process_cpu for one in self.workers if one.process_cpu is not None]
        return sum(counts) / 1e9 if counts else None

    @property
    def cores_used(self) -> float | None:
        """CPU seconds of the processes per second: 1.5 is what `time` calls 150 %."""
        used, elapsed = self.process_cpu, self.elapsed
        return used / elapsed if used is not None and elapsed else None

    @property
    def first_step_share(self) -> float | None:
        """Share of all steps' time that the first one takes, such as fetching before decoding."""
        seconds = list(self.phase_seconds().values())
        return seconds[0] / sum(seconds) if seconds and sum(seconds) else None

    @property
    def most_anonymous(self) -> int | None:
        """Most bytes of anonymous memory seen resident."""
        return self._most("rss_anonymous")

    @property
    def most_file_backed(self) -> int | None:
        """Most bytes of mapped files seen resident; page cache that counts as memory."""
        return self._most("rss_file")

    @property
    def harness_share(self) -> float:
        """Share of the workers' active time that is the harness's own cost."""
        active = self.total(lambda worker: worker.ended - worker.started - worker.paused)
        items = self.total(lambda worker: worker.items)
        return self.self_cost * items / active if active > 0 else 0.0

    @property
    def checking_share(self) -> float:
        """Share of the workers' time that went into verification between operations."""
        whole = self.total(lambda worker: worker.ended - worker.started)
        return self.total(lambda worker: worker.paused) / whole if whole > 0 else 0.0

    @property
    def gil_held(self) -> float | None:
        """Share of the looks that found Python's global lock held; None without a look."""
        looks = self.total(lambda worker: worker.gil_looks)
        return self.total(lambda worker: worker.gil_held) / looks if looks else None

    @property
    def proven_cold(self) -> bool | None:
        """Whether the page cache was proven empty of the dataset; None unless cold was wanted."""
        if self.page_cache is None or self.page_cache.wanted != "cold":
            return None
        return self.cached is not None and is_proven_cold(self.cached)

    @property
    def cached(self) -> Residency | None:
        """How much of its files the page cache held when the clock started; None if unknown."""
        return self.page_cache.before if self.page_cache is not None else None
