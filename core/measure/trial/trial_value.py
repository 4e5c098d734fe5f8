"""A trial as a value: combines its children's messages with the counters in its block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from time import perf_counter_ns
from typing import TYPE_CHECKING

import msgspec

from core.language import SluiceError, marked, safe, tr, version_of
from core.measure.machine.lab_records import lab_link, own_link
from core.measure.machine.processor import affinity_cores
from core.measure.machine.run_queue import waits_are_known
from core.measure.machine.secrets import secrets_of
from core.measure.machine.shortages import shortage
from core.measure.trial.child_handle import STAGES
from core.measure.trial.counters import TALLIED, Count, Head, SharedCounters
from core.measure.trial.messages import HelperDone, Verified
from core.vocabulary import (
    Cancelled,
    Complaint,
    Crashed,
    Failed,
    Load,
    Outcome,
    RunSpec,
    Slot,
    TimedOut,
    Trial,
    WorkerTotals,
)

if TYPE_CHECKING:
    from core.measure.trial.live_trial import LiveTrial
    from core.measure.trial.observer import Counters


_ALWAYS_USED = ("numpy", "msgspec")


def versions_of(spec: RunSpec) -> dict[str, str]:
    """The versions that a trial of that spec uses, by the name of a distribution or program.

    Its children have the same packages, and the imports for this would take longer than some of
    them measure.
    """
    workload, parameters = spec.setting.workload, spec.setting.parameters
    drivers = workload.drivers(parameters)
    names = dict.fromkeys((*_ALWAYS_USED, *(driver.distribution for driver in drivers)))
    return {name: _version(name) for name in names} | dict(workload.programs(parameters))


@cache
def _version(distribution: str) -> str:
    return version_of(distribution)


UNVERIFIED = "not every result could be verified before the end"
"""A note of trials that were cut off."""
FORKED = (
    "the reader forked a process that came back from it; that process was ended, and every "
    "operation counts once"
)


def trial_of(live: LiveTrial, started: float, outcome: Outcome) -> Trial:
    ready = [process.ready for process in live.processes if process.ready]
    verified = [process.verified for process in live.processes if process.verified]
    first = ready[0] if ready else None
    measured = live.clock_started
    workers = totals(live.block, live.load, len(first.steps)) if first and measured else ()
    audits: list[Verified | HelperDone] = [*verified, *filter(None, [live.audited])]
    cut = [one.complained for one in live.processes if one.complained and not one.verified]
    trial = Trial(
        index=live.slot.index,
        block=live.slot.block,
        spec_digest=live.spec.digest,
        started=started,
        outcome=outcome,
        unit=first.unit if first else "operation",
        steps=first.steps if first else (),
        workers=workers,
        histogram=live.observer.histogram() if measured else b"",
        latency_map=live.observer.latency_map() if measured else b"",
        first=live.observer.first,
        last=live.observer.last,
        start_up=_start_up(live),
        client_threads=sum(one.client_threads for one in ready),
        bound_cores=first.cores if first else (),
        baseline_rss=sum(one.baseline_rss for one in ready),
        complaints=merged_complaints(each for one in (*audits, *cut) for each in one.complaints),
        counters=summed_counters([*(one.counters for one in audits), *live.counters])
        | live.block.tallies(live.tallies if measured else ()),
        self_cost=max((one.self_cost for one in verified), default=0.0),
        verification=sum(one.verification for one in verified) / 1e9,
        page_cache=live.page_cache.proof,
        versions=versions_of(live.spec) if first else {},
        notes=_notes(live, workers, outcome),
        slices=live.turns.packed,
        link=own_link(live.spec.link) or lab_link(live.spec.parameters.values()),
        noise=live.noise.noise(),
    )
    doubts = (doubt_about(trial, trial.cores_of(affinity_cores())), live.page_cache.doubt)
    trial = msgspec.structs.replace(trial, doubt=" ".join(filter(None, doubts)))
    # Moments are numbers, so none of them is searched.
    sanitised = safe(trial, secrets_of([live.spec]))
    return msgspec.structs.replace(sanitised, moments=live.observer.moments)


def _notes(live: LiveTrial, workers: Sequence[WorkerTotals], outcome: Outcome) -> tuple[str, ...]:
    """Notes of its jobs on their data, troubles on the way, and whether it was cut off."""
    messages = [part for one in live.processes for part in (one.ready, one.verified) if part]
    of_jobs = [note for message in messages for note in message.notes]
    cut_off = [UNVERIFIED] if _is_unverified(live, workers, outcome) else []
    forked = [FORKED] if live.block.words[Head.CAME_BACK] else []
    return (*dict.fromkeys(of_jobs), *live.notes, *forked, *cut_off)


def _is_unverified(live: LiveTrial, workers: Sequence[WorkerTotals], outcome: Outcome) -> bool:
    """Whether processes of a trial were cut off before all of their work was verified."""
    unverified = any(one.unverified for one in workers)
    cut = live.clock_started and not all(process.verified for process in live.processes)
    if not cut or (live.audited is not None and not unverified):
        return False
    # The work of a trial that was cut off between two turns may have been verified in its rests.
    return unverified or not isinstance(outcome, Cancelled)


def doubt_about(trial: Trial, cores: float) -> str:
    """A reason to doubt the figures of a trial, in a sentence; empty = none.

    `cores`: how many it is allowed to run on.  A quota is no bound: it is a mean over a period that
    is longer than some windows, and unused time of earlier periods comes on top.  Nor is the speed
    of memory: one core was seen to copy 2 to 48 GB/s, depending on where two buffers begin.
    """
    if not trial.exceeds(cores):
        return ""
    return tr(
        "The operations took {used} CPU seconds a second, more than the {cores} that the cores "
        "have.",
        used=marked(f"{trial.cores_in_windows:.2f}"),
        cores=marked(f"{cores:g}"),
    )


def _start_up(live: LiveTrial) -> float:
    """Seconds until the last of its processes began its first operation; 0 if none did."""
    opened = max((one.ready.opened for one in live.processes if one.ready), default=0)
    return (opened - live.began) / 1e9 if opened and live.began else 0.0


def never_started(slot: Slot, started: float, error: OSError | SluiceError) -> Trial:
    """A trial that could not even be started."""
    return Trial(
        index=slot.index,
        block=slot.block,
        spec_digest=slot.spec.digest,
        started=started,
        outcome=unstarted(error),
    )


def unstarted(error: OSError | SluiceError) -> Failed:
    """The outcome of a trial whose children could not be started."""
    why = shortage(error)
    message = f"{error} ({why})" if why else str(error)
    return Failed(stage=STAGES[0], error=type(error).__name__, message=message)


def merged_complaints(complaints: Iterable[Complaint]) -> tuple[Complaint, ...]:
    """The complaints of several processes, the most frequent first, each kind once."""
    merged: dict[tuple[bool, str], Complaint] = {}
    for complaint in complaints:
        before = merged.get((complaint.wrong_data, complaint.text))
        merged[complaint.wrong_data, complaint.text] = (
            msgspec.structs.replace(before, count=before.count + complaint.count)
            if before
            else complaint
        )
    return tuple(sorted(merged.values(), key=lambda complaint: -complaint.count))


def summed_counters(counters: Sequence[dict[str, float]]) -> dict[str, float]:
    """The workload's own numbers, summed over processes."""
    names = dict.fromkeys(name for one in counters for name in one)
    return {name: sum(one.get(name, 0.0) for one in counters) for name in names}


def totals(block: Counters, load: Load, steps: int) -> tuple[WorkerTotals, ...]:
    """The work of every started worker, from the block; one that has not ended counts until now."""
    now = perf_counter_ns()
    return tuple(
        WorkerTotals(
            process=index // load.threads,
            worker=index % load.threads,
            started=slot[Count.STARTED],
            ended=slot[Count.ENDED] or now,
            operations=slot[Count.OPERATIONS],
            items=slot[Count.ITEMS],
            bytes=slot[Count.BYTES],
            errors=slot[Count.ERRORS],
            wrong=slot[Count.WRONG],
            paused=slot[Count.PAUSED],
            window=slot[Count.WINDOW_TIME],
            window_operations=slot[Count.WINDOW_OPERATIONS] / TALLIED,
            window_bytes=slot[Count.WINDOW_BYTES],
            window_cpu=slot[Count.WINDOW_CPU],
            window_queued=slot[Count.WINDOW_QUEUED] if waits_are_known() else None,
            window_waits=slot[Count.WINDOW_WAITS],
            cpu=slot[Count.CPU],
            bookkeeping=slot[Count.BOOKKEEPING],
            batch=max(slot[Count.BATCH], 1),
            timed=slot[Count.TIMED],
            timed_squares=slot[Count.TIMED_SQUARES],
            gil_looks=slot[Count.GIL_LOOKS],
            gil_held=slot[Count.GIL_HELD],
            process_cpu=slot[Count.PROCESS_CPU],
            unverified=slot[Count.UNVERIFIED],
            compared=slot[Count.COMPARED],
            phases=tuple(slot[Count.PHASES : Count.PHASES + steps]),
        )
        for index, slot in enumerate(block.counts())
        if slot[Count.STARTED]
    )


def can_be_audited(spec: RunSpec, outcome: Outcome | None) -> bool:
    """Whether the workload can audit the remains of a trial with that outcome without its job."""
    if not isinstance(outcome, Failed | Crashed | TimedOut):
        return False
    try:
        return spec.setting.has_own("remains")
    except SluiceError:  # the trial itself says so
        return False


def count_in(block: SharedCounters, audit: HelperDone) -> None:
    """Count the result of an audit in the block of a trial whose processes are all gone."""
    words = block.slot(0)
    for complaint in audit.complaints:
        words[Count.WRONG if complaint.wrong_data else Count.ERRORS] += complaint.count
    count_left = audit.count
    for index in range(block.slots):
        slot = block.slot(index)
        verified = min(count_left, slot[Count.UNVERIFIED])
        slot[Count.UNVERIFIED] -= verified
        count_left -= verified
