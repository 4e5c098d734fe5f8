"""Where the time of a result's threads went, in a few figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from core.judge.estimation import typical
from core.vocabulary import (
    Crashed,
    Failed,
    OfPrograms,
    Reading,
    Result,
    Trial,
    anomalies_of,
    phase_shares,
    taken_from_trial,
)


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """A result's figures; None where nothing was recorded.

    Rates are geometric means of the trials, all else medians.  `running`: average number of threads
    on a core.  `queued`: average number that were ready to run but waited for a core, also for one
    that the hypervisor had taken away.  `demand` is their sum; the rest of the `workers` waited for
    something else.
    """

    workers: int
    processes: int
    cores: float
    """Cores that the processes could keep busy."""
    bound: bool = False
    """Whether they were bound to these."""
    rate: float | None
    """Operations per second; None where the result is not valid."""
    byte_rate: float | None
    latency: float | None = None
    """Median seconds of one operation."""
    busy: float | None = None
    """Average number of cores that the programs kept busy which the workload runs; None where it
    runs none."""
    client: bool = False
    """Whether the workers are the threads of a client, whose operations are seen from outside."""
    running: float | None
    queued: float | None
    taken: float = 0.0
    """Share of the time on cores which the threads wanted that other programs took."""
    system: float | None
    """Share of the CPU time that was spent in the kernel."""
    voluntary: float | None
    """Context switches per second that happened because a thread waited."""
    storage: float | None
    """Bytes per second that came from storage, not from the page cache."""
    resident: float | None
    """Share of the dataset in the page cache when the clock started."""
    gil: float | None
    """Share of the samples in which Python's global lock was not let go."""
    each: float | None
    """CPU seconds of one operation, with the loop around it."""
    harness: float | None = None
    """Share of the workers' time that the harness has measured as its own cost."""
    phases: dict[str, float]
    """Share of an operation's time by step."""
    counters: dict[str, float]
    """Counters of the workload, for each operation that succeeded."""
    backoff: float
    """Share of the workers' time spent waiting before a retry."""
    complaints: tuple[str, ...]
    asleep: float = 0.0
    """Share of the workers' time in which the client slept, though nothing was refused."""
    stalled: float = 0.0
    """Share of the time in the longest gap in which no operation ended, where that is odd."""

    @property
    def demand(self) -> float | None:
        return None if self.running is None else self.running + (self.queued or 0.0)

    @property
    def waiting(self) -> float | None:
        """Share of the workers' time in which they neither ran nor wanted to.

        None of it where threads of a library run beside them.
        """
        return None if self.demand is None else max(0.0, 1.0 - self.demand / self.workers)


def facts_of(result: Result) -> Facts:
    trials = [trial for trial in result.finished_trials if trial.workers]
    load = result.spec.load
    return Facts(
        workers=max(
            (max(len(trial.workers), trial.client_threads) for trial in trials),
            default=load.all_workers,
        ),
        processes=load.processes * load.nodes,
        cores=load.nodes * load.cores_of(result.environment.usable_cores),
        bound=bool(load.cores),
        rate=typical(result),
        byte_rate=typical(result, "byte_rate"),
        latency=typical(result, "p50"),
        busy=_typical(trials, _busy),
        client=any(trial.client_threads for trial in trials),
        running=_typical(trials, _running),
        queued=_typical(trials, _queued),
        taken=_typical(
            trials, lambda trial: taken_from_trial(trial, result.environment, wanted=True)
        )
        or 0.0,
        system=_typical(trials, _system),
        voluntary=_typical(
            trials, lambda trial: _slope(trial, lambda sample: sample.switches_voluntary)
        ),
        storage=_typical(trials, lambda trial: _slope(trial, lambda sample: sample.read_bytes)),
        resident=_typical(trials, lambda trial: trial.cached.fraction if trial.cached else None),
        gil=_typical(trials, lambda trial: trial.gil_held),
        each=_typical(trials, _each),
        harness=_typical(trials, lambda trial: trial.harness_share if trial.self_cost else None),
        phases={name: share for name, (share, _) in phase_shares(trials).items()},
        counters=_counters(trials),
        backoff=_spent(trials, BACKOFF),
        complaints=_complaints(result),
        asleep=_spent(trials, ASLEEP),
        stalled=_typical(trials, _stalled) or 0.0,
    )


def _typical(trials: Sequence[Trial], look: Callable[[Trial], float | None]) -> float | None:
    values = [value for trial in trials if (value := look(trial)) is not None]
    return median(values) if values else None


def _slope(trial: Trial, look: Callable[[Reading], float | None]) -> float | None:
    """A figure's growth per second, from the first sample that has it to the last."""
    readings = [reading for reading in _readings(trial) if look(reading) is not None]
    if len(readings) < 2 or readings[-1].at <= readings[0].at:
        return None
    first, last = look(readings[0]), look(readings[-1])
    assert first is not None
    assert last is not None
    return max(0.0, (last - first) / (readings[-1].at - readings[0].at))


def _queued(trial: Trial) -> float | None:
    """Threads that could not run though they were ready.

    Time on a core that the hypervisor took away is neither in what threads ran nor in what they
    waited for: without it, threads would seem to wait for each other.
    """
    queued, noise = _slope(trial, lambda sample: sample.queued), trial.noise
    if queued is None or noise is None or not noise.steal or noise.seconds <= 0:
        return queued
    return queued + noise.steal / noise.seconds


def _readings(trial: Trial) -> list[Reading]:
    """Samples that cover all of the trial's processes: one that has ended drops out of the sums."""
    looks = (trial.first, *(moment.reading for moment in trial.moments), trial.last)
    readings = [reading for reading in looks if reading is not None]
    most = max((reading.processes for reading in readings), default=0)
    return sorted(
        (reading for reading in readings if reading.processes == most), key=lambda sample: sample.at
    )


def _busy(trial: Trial) -> float | None:
    """From the counter of the programs' CPU time, over the time in which the clock ran."""
    spent, throughput = trial.counters.get(OfPrograms.CPU), trial.throughput
    if spent is None or throughput is None or not trial.operations:
        return None
    return spent / trial.operations * throughput


def _running(trial: Trial) -> float | None:
    """By the clock of the trial; from outside, verification between its turns is seen too."""
    used = trial.cores_used
    return _slope(trial, _cpu) if used is None else used


def _cpu(reading: Reading) -> float:
    return reading.cpu_user + reading.cpu_system


def _system(trial: Trial) -> float | None:
    whole = _slope(trial, _cpu)
    kernel = _slope(trial, lambda sample: sample.cpu_system)
    return kernel / whole if whole and kernel is not None else None


def _each(trial: Trial) -> float | None:
    """CPU seconds of one item."""
    items = trial.total(lambda worker: worker.items)
    # Most of a client's work is not in the worker's own thread.
    spent = trial.process_cpu if trial.client_threads else trial.cpu_seconds
    return spent / items if items and spent is not None else None


def _counters(trials: Sequence[Trial]) -> dict[str, float]:
    operations = sum(trial.operations for trial in trials)
    summed: Counter[str] = Counter()
    for trial in trials:
        summed.update(trial.counters)
    return {name: count / operations for name, count in summed.items()} if operations else {}


def _spent(trials: Sequence[Trial], counter: str) -> float:
    """The share of the workers' time that a counter of seconds has."""
    spent = sum(trial.counters.get(counter, 0.0) for trial in trials)
    active = sum(
        (worker.ended - worker.started) / 1e9 * max(trial.client_threads / len(trial.workers), 1)
        for trial in trials
        for worker in trial.workers
    )
    return min(1.0, spent / active) if active > 0 else 0.0


BACKOFF, ASLEEP = "backoff seconds", "asleep seconds"


def _stalled(trial: Trial) -> float | None:
    if not trial.moments or trial.moments[-1].at <= 0:
        return None
    stall = anomalies_of(trial).stall
    return stall.seconds / trial.moments[-1].at if stall else 0.0


def _complaints(result: Result) -> tuple[str, ...]:
    texts = [complaint.text for trial in result.trials for complaint in trial.complaints]
    for trial in result.trials:
        match trial.outcome:
            case Failed(error=error, message=message):
                texts.append(f"{error}: {message}")
            case Crashed(last_words=words):
                texts.append(words)
            case _:
                pass
    return tuple(dict.fromkeys(texts))
