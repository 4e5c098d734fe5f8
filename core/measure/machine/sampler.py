"""All processes of a trial, looked at together from outside, ten times a second, almost for free.

Memory, CPU time and the number of open files are read every time: three small files of /proc for
each process.  After a tenth of a second of sleep all of it, the kernel's code and the
interpreter's, has left the processor's caches and takes ten times as long as when it is warm, so
that each further file, object and call counts.  What only grows (I/O, context switches, peaks) and
new processes are looked for every second or two, and figures whose cost grows with open files or
threads as often as their budget allows.
`PYTHONPATH=. python tests/benchmarks/bench_sampling.py` measures the total cost, and what three
bare reads of such files cost beside it.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from core.measure.machine.descendants import is_guard
from core.measure.machine.observed_process import open_process
from core.measure.machine.readings import (
    InputOutput,
    Process,
    ProcessSample,
    ProcessTotals,
    Switches,
    known_sum,
)
from core.vocabulary import Reading

# What may be spent before any time has passed. It lets the first sample happen at once for
# up to about 3,000 open files, and is 0.1 % of the first 20 seconds.
CREDIT_SECONDS = 0.02


class SamplingBudget:
    """Keeps the cost of one kind of sample within a share of the time that passes.

    Time fills a purse, samples empty it, and one is due when the purse holds what it is
    expected to cost: its size (threads, open files) times a running estimate for one.
    The purse never holds more than the next sample needs, so that a long cheap stretch does
    not pay for a burst of dear ones. A forced one may overdraw it.
    """

    def __init__(
        self,
        share: float,
        clock: Callable[[], float] = time.thread_time,
        *,
        unit_cost: float,
        pause: float = 0.0,
    ) -> None:
        """`unit_cost` is a first guess in seconds; samples are at least `pause` apart."""
        self._share = share
        self._clock = clock
        self._unit_cost = unit_cost
        self._pause = pause
        self._purse = CREDIT_SECONDS
        self._filled_at: float | None = None
        self._looked_at = -math.inf

    def is_due(self, at: float, size: int) -> bool:
        expected = self._unit_cost * size
        elapsed = at - self._filled_at if self._filled_at is not None else 0.0
        self._filled_at = at
        self._purse = min(self._purse + self._share * elapsed, max(expected, CREDIT_SECONDS))
        return self._purse >= expected and at - self._looked_at >= self._pause

    @contextmanager
    def spend(self, at: float, size: int) -> Iterator[None]:
        """Charges what is done inside; `size` as it turned out is what was done."""
        started = self._clock()
        try:
            yield
        finally:
            cost = self._clock() - started
            self._purse -= cost
            self._looked_at = at
            self._unit_cost = (self._unit_cost + cost / max(size, 1)) / 2


_BUDGET = 0.002
"""Share of one core that dear samples may cost together.  Half of it goes to following open files
into the dataset, the rest to new processes, context switches, I/O and peaks, and to listing open
files where nothing cheaper counts them."""
_BETWEEN_CLOSER, _BETWEEN_SUMS = 1.0, 2.0
"""Seconds between two readings that look for new processes, and for what only grows: of that the
first figure and the last are needed."""
_NOTHING = InputOutput()

type OpenProcess = Callable[[int], Process | None]


class Sampler:
    """Watches processes and everything they start, but for what is Sluice's own among it.

    `pids` are the trial's own children, not yet waited for. `dataset_roots` are the files
    and folders the trial reads.

    A dear sample is part of the first reading unless it would be very dear: a child that
    starts with 20,000 open files has them followed into the dataset about two minutes
    later, when that has been saved up, or in a complete reading.
    """

    def __init__(
        self,
        pids: Iterable[int],
        dataset_roots: Sequence[Path],
        *,
        open_process: OpenProcess = open_process,
    ) -> None:
        self._open_process = open_process
        self._roots = {os.path.realpath(root) for root in dataset_roots}
        # First guesses; each corrects itself with every sample.
        self._family = SamplingBudget(_BUDGET / 8, unit_cost=20e-6)
        self._switches = SamplingBudget(_BUDGET / 16, unit_cost=30e-6, pause=_BETWEEN_SUMS)
        self._totals = SamplingBudget(_BUDGET / 16, unit_cost=20e-6, pause=_BETWEEN_SUMS)
        self._dataset = SamplingBudget(_BUDGET / 2, unit_cost=6e-6)
        self._listing = SamplingBudget(_BUDGET / 4, unit_cost=1e-6)
        self._closer_at = -math.inf
        self._follows = False
        self._threads = 1
        self._fds = 1
        self._processes: dict[int, Process] = {}
        self._guards: dict[int, Process] = {}
        self._peaks: dict[int, int | None] = {}
        self._peak_of_ended: int | None = 0
        try:
            for pid in pids:
                self._meet(pid)
        except OSError:  # of descriptors, most likely
            self.close()
            raise

    def read(self, at: float, complete: bool = False) -> Reading | None:
        """What the processes are doing at that moment, or None when all have ended.

        With `complete`, expensive values are read at any cost.
        """
        closer = complete or at >= self._closer_at
        if closer:
            self._closer_at = at + _BETWEEN_CLOSER
            if self._family.is_due(at, self._threads) or complete:
                with self._family.spend(at, self._threads):
                    self._meet_children(list(self._processes.values()))
        sample = self._sample()
        if sample is None:
            return None
        self._threads = sample.threads
        io = self._add_up(at, complete) if closer else _NOTHING
        fds = self._count_fds(at, complete)
        self._fds = self._fds if fds is None else fds
        switches = self._count_switches(at, complete) if closer else None
        followed = self._follow_into_dataset(at, complete, closer)
        return Reading(
            at=at,
            processes=len(self._processes),
            rss=sample.rss,
            rss_anonymous=sample.rss_anonymous,
            rss_file=sample.rss_file,
            peak_rss=self._peak(),
            fds=fds,
            dataset_fds=followed,
            threads=sample.threads,
            cpu_user=sample.cpu_user,
            cpu_system=sample.cpu_system,
            read_bytes=io.read_bytes,
            written_bytes=io.written_bytes,
            read_chars=io.read_chars,
            written_chars=io.written_chars,
            read_calls=io.read_calls,
            write_calls=io.write_calls,
            switches_voluntary=switches.voluntary if switches else None,
            switches_involuntary=switches.involuntary if switches else None,
            queued=switches.queued if switches else None,
        )

    def proportional(self) -> int | None:
        """Bytes that all of them have resident together, shared pages once, as they are now.

        None if the system does not report it this of every process.
        """
        return known_sum(process.proportional() for process in self._processes.values())

    def cpu_of_guards(self) -> Mapping[int, float]:
        """CPU seconds so far of what is Sluice's own beside them, by process id."""
        samples = ((pid, process.sample()) for pid, process in self._guards.items())
        return {pid: one.cpu_user + one.cpu_system for pid, one in samples if one is not None}

    def running(self) -> Sequence[int]:
        """The numbers of those that it knows and that still run, also where their parent died."""
        return [pid for pid, process in self._processes.items() if process.sample() is not None]

    def close(self) -> None:
        for process in (*self._processes.values(), *self._guards.values()):
            process.close()
        self._processes.clear()
        self._guards.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _meet(self, pid: int) -> Process | None:
        process = self._open_process(pid)
        if process is not None:
            self._processes[pid] = process
            self._total(pid, process)
        return process

    def _meet_children(self, parents: Sequence[Process]) -> None:
        new = []
        for pid in (pid for parent in parents for pid in parent.children()):
            if pid in self._processes or pid in self._guards:
                continue
            if is_guard(pid):
                if (guard := self._open_process(pid)) is not None:
                    self._guards[pid] = guard
            elif (child := self._meet(pid)) is not None:
                new.append(child)
        if new:
            self._meet_children(new)

    def _sample(self) -> ProcessSample | None:
        """All of them together, or None when all have ended."""
        samples, peaks = [], self._peaks
        for pid, process in list(self._processes.items()):
            sample = process.sample()
            if sample is None:
                self._processes.pop(pid).close()
                self._peak_of_ended = known_sum((self._peak_of_ended, peaks.pop(pid)))
                continue
            samples.append(sample)
            peak = peaks[pid]
            if peak is not None and peak < sample.rss:
                peaks[pid] = sample.rss
        if len(samples) < 2:
            return samples[0] if samples else None
        return ProcessSample(
            rss=sum(sample.rss for sample in samples),
            rss_anonymous=known_sum(sample.rss_anonymous for sample in samples),
            rss_file=known_sum(sample.rss_file for sample in samples),
            threads=sum(sample.threads for sample in samples),
            cpu_user=sum(sample.cpu_user for sample in samples),
            cpu_system=sum(sample.cpu_system for sample in samples),
        )

    def _add_up(self, at: float, complete: bool) -> InputOutput:
        processes = self._processes
        if not self._totals.is_due(at, len(processes)) and not complete:
            return _NOTHING
        with self._totals.spend(at, len(processes)):
            totals = [self._total(pid, process).io for pid, process in processes.items()]
        if len(totals) == 1:
            return totals[0]
        return InputOutput(
            **{
                name: known_sum(getattr(io, name) for io in totals)
                for name in InputOutput.__struct_fields__
            }
        )

    def _total(self, pid: int, process: Process) -> ProcessTotals:
        totals = process.total()
        # The latest peak, not the highest: just after a fork it is the parent's.
        if totals.peak_rss or pid not in self._peaks:
            self._peaks[pid] = totals.peak_rss
        return totals

    def _peak(self) -> int | None:
        peak = self._peak_of_ended
        for own in self._peaks.values():
            if peak is None or own is None:
                return None
            peak += own
        return peak

    def _count_fds(self, at: float, complete: bool) -> int | None:
        count = 0
        for process in self._processes.values():
            own = process.count_fds()
            if own is None:
                break
            count += own
        else:
            return count
        if not self._listing.is_due(at, self._fds) and not complete:
            return None
        with self._listing.spend(at, self._fds):
            return known_sum(process.list_fds() for process in self._processes.values())

    def _follow_into_dataset(self, at: float, complete: bool, closer: bool) -> int | None:
        # Where they are too many for each reading, not even their cost is looked at each time.
        follows = closer or self._follows
        followed = self._count_dataset_fds(at, complete) if follows else None
        self._follows = followed is not None
        return followed

    def _count_dataset_fds(self, at: float, complete: bool) -> int | None:
        if not self._roots or not (self._dataset.is_due(at, self._fds) or complete):
            return None
        with self._dataset.spend(at, self._fds):
            return known_sum(
                process.count_fds_below(self._roots) for process in self._processes.values()
            )

    def _count_switches(self, at: float, complete: bool) -> Switches | None:
        if not self._switches.is_due(at, self._threads) and not complete:
            return None
        with self._switches.spend(at, self._threads):
            counts = [process.count_switches() for process in self._processes.values()]
        switches = [count for count in counts if count is not None]
        if not switches:
            return None
        return Switches(
            voluntary=sum(count.voluntary for count in switches),
            involuntary=sum(count.involuntary for count in switches),
            queued=known_sum(count.queued for count in switches),
        )
