"""Turns the telemetry block and the samples from outside into moments and totals."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING

from core.histogram import percentile, to_bytes
from core.plan import Load
from core.result import WorkerTotals
from core.sampling import Reading, Sampler
from core.series import Moment, Series
from core.telemetry import Block, Count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Observer:
    """Looks at one running trial; keeps every moment."""

    def __init__(self, block: Block) -> None:
        self.moments = Series()
        self.first: Reading | None = None
        self.last: Reading | None = None
        self._block = block
        self._sampler: Sampler | None = None
        self._zero = 0
        self._latencies: NDArray[np.int64] = block.latencies()

    def clock_started(self, sampler: Sampler) -> None:
        """The trial's clock starts now; the sampler looks at its processes."""
        self._sampler = sampler
        self.first = self._read(0.0, complete=False)
        self._zero = perf_counter_ns()
        self._latencies = self._block.latencies()

    def look(self, *, complete: bool = False) -> Moment:
        """Take one moment; `complete` takes the dear readings too and keeps the reading as the last."""
        at = (perf_counter_ns() - self._zero) / 1e9
        reading = self._read(at, complete)
        if complete and reading is not None:
            self.last = reading
        counts = [slot for slot in self._block.counts() if slot[Count.STARTED]]
        latencies = self._block.latencies()
        since = (latencies - self._latencies).clip(min=0)
        self._latencies = latencies
        moment = Moment(
            at=at,
            operations=tuple(slot[Count.OPERATIONS] for slot in counts),
            cpu=tuple(slot[Count.CPU] for slot in counts),
            bytes=sum(slot[Count.BYTES] for slot in counts),
            errors=sum(slot[Count.ERRORS] for slot in counts),
            wrong=sum(slot[Count.WRONG] for slot in counts),
            p50=_percentile(since, 50.0),
            p99=_percentile(since, 99.0),
            reading=reading,
        )
        self.moments.append(moment)
        return moment

    def _read(self, at: float, complete: bool) -> Reading | None:
        if self._sampler is None:
            return None
        try:
            return self._sampler.read(at, complete=complete)
        except OSError:  # no descriptors left to look at a new process with
            return None

    def close(self) -> None:
        """Let go of the processes that were looked at."""
        if self._sampler is not None:
            self._sampler.close()

    def movement(self) -> tuple[int, ...]:
        """A value that changes whenever any worker gets on."""
        moving = (Count.STATE, Count.ITEMS, Count.ERRORS, Count.PAUSED)
        return tuple(slot[count] for slot in self._block.counts() for count in moving)

    def histogram(self) -> bytes:
        """All latencies of the trial, packed."""
        return to_bytes(self._block.latencies().tolist())


def _percentile(counts: NDArray[np.int64], percent: float) -> int:
    found = percentile(counts.tolist(), percent)
    return round(found.value) if found else 0


def totals(block: Block, load: Load, steps: int) -> tuple[WorkerTotals, ...]:
    """What every worker that was started did, from the block; one that died has ended when it was last seen."""
    now = perf_counter_ns()
    found = []
    for index, slot in enumerate(block.counts()):
        if not slot[Count.STARTED]:
            continue
        ended = slot[Count.ENDED] or now
        marked = slot[Count.MARKED] > 0
        found.append(
            WorkerTotals(
                process=index // load.threads,
                worker=index % load.threads,
                started=slot[Count.STARTED],
                ended=ended,
                operations=slot[Count.OPERATIONS],
                items=slot[Count.ITEMS],
                bytes=slot[Count.BYTES],
                errors=slot[Count.ERRORS],
                wrong=slot[Count.WRONG],
                paused=slot[Count.PAUSED],
                marked=slot[Count.MARKED] if marked else ended,
                marked_operations=slot[Count.MARKED_OPERATIONS if marked else Count.OPERATIONS],
                marked_bytes=slot[Count.MARKED_BYTES if marked else Count.BYTES],
                marked_paused=slot[Count.MARKED_PAUSED if marked else Count.PAUSED],
                cpu=slot[Count.CPU],
                bookkeeping=slot[Count.BOOKKEEPING],
                batch=max(slot[Count.BATCH], 1),
                gil_looks=slot[Count.GIL_LOOKS],
                gil_held=slot[Count.GIL_HELD],
                verifying=slot[Count.VERIFYING],
                phases=tuple(slot[Count.PHASES : Count.PHASES + steps]),
            )
        )
    return tuple(found)
